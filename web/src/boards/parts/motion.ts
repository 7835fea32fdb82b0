// Short movements, done by the browser outside our script.

/** Milliseconds of the longest movement: what an event did is told after that. */
export const MOVEMENT = 420;

/** How far something came, and in which event: `use:glide={{ from: [dx, dy], on: event }}` on an SVG group. */
export interface Glide {
  from: [number, number] | null; // null: it was there before
  on: unknown;
  ms?: number;
}

export function glide(node: SVGElement, first: Glide): { update: (now: Glide) => void } {
  let shown: unknown = undefined;
  function run({ from, on, ms = 380 }: Glide): void {
    if (on === shown) return;
    shown = on;
    if (!from) return;
    const [dx, dy] = from;
    node.animate?.(
      [
        { transform: `translate(${dx}px, ${dy}px)` },
        { transform: `translate(${dx / 2}px, ${dy / 2 - 14}px) scale(1.06)`, offset: 0.5 },
        { transform: "none" },
      ],
      { duration: ms, easing: "cubic-bezier(.3,.1,.3,1)" },
    );
  }
  run(first);
  return { update: run };
}

/** Tumbles once for every event: `use:tumble={{ on: event, when: wasThrown }}`. */
export function tumble(
  node: SVGElement,
  first: { on: unknown; when: boolean; turn?: number },
): { update: (now: { on: unknown; when: boolean; turn?: number }) => void } {
  let shown: unknown = undefined;
  function run({ on, when, turn = 1 }: { on: unknown; when: boolean; turn?: number }): void {
    if (on === shown) return;
    shown = on;
    if (!when) return;
    node.animate?.(
      [
        { transform: `translateY(-26px) rotate(${-200 * turn}deg)`, opacity: 0.2 },
        { transform: `translateY(4px) rotate(${24 * turn}deg)`, opacity: 1, offset: 0.7 },
        { transform: "none" },
      ],
      { duration: MOVEMENT, easing: "cubic-bezier(.2,.7,.3,1)" },
    );
  }
  run(first);
  return { update: run };
}

/** Fades away what was taken, after so many milliseconds. */
export function vanish(node: SVGElement, delay: number | void): void {
  node.animate?.(
    [{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(-20px) scale(.7)" }],
    { duration: 420, delay: delay ?? 0, easing: "ease-in", fill: "both" },
  );
}
