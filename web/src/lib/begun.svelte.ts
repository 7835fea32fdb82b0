// Something that takes a moment and may fail: which one is on its way, and what went wrong.

export interface Begun {
  readonly busy: string;
  readonly complaint: string;
  run: (what: string, work: () => Promise<unknown>) => Promise<void>;
}

export function begun(): Begun {
  let busy = $state("");
  let complaint = $state("");
  return {
    get busy() {
      return busy;
    },
    get complaint() {
      return complaint;
    },
    async run(what, work) {
      if (busy) return;
      [busy, complaint] = [what, ""];
      try {
        await work();
      } catch (error) {
        complaint = (error as Error).message;
      } finally {
        busy = "";
      }
    },
  };
}
