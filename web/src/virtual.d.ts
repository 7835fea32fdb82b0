declare module "virtual:texts/*" {
  const sentences: Record<string, string | string[]>;
  export default sentences;
}
