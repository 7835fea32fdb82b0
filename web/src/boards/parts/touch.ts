// Keyboard and drag on a board: put `use:touch={picker}` on its <svg>, and <Place> on everything to be touched.
import { t } from "../../lib/texts.svelte";
import type { Picker } from "./picker.svelte";

const FAR = 6; // pixels that make a drag of a touch
const WAY: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const HOP: Record<string, number> = { n: 1, p: -1 };

export function touch(svg: SVGSVGElement, picker: Picker): { destroy: () => void } {
  let begun: { x: number; y: number; place: string; pointer: number } | null = null;
  let dragged = false;

  const all = () => [...svg.querySelectorAll<SVGGElement>("[data-place]")];
  const placeAt = (x: number, y: number): string | null =>
    document.elementFromPoint(x, y)?.closest<SVGGElement>("[data-place]")?.dataset.place ?? null;

  function down(event: PointerEvent): void {
    const place = (event.target as Element).closest<SVGGElement>("[data-place]")?.dataset.place;
    dragged = false;
    if (event.button === 0 && place !== undefined && (picker.starts(place) || picker.next.has(place)))
      begun = { x: event.clientX, y: event.clientY, place, pointer: event.pointerId };
  }

  function move(event: PointerEvent): void {
    if (!begun || event.pointerId !== begun.pointer) return;
    if (!dragged) {
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < FAR || !picker.lift(begun.place)) return;
      dragged = true;
      svg.setPointerCapture(event.pointerId);
    }
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    picker.drag = { place: begun.place, x: point.x, y: point.y };
  }

  function up(event: PointerEvent): void {
    if (begun && dragged) picker.drop(event.type === "pointerup" ? placeAt(event.clientX, event.clientY) : null);
    begun = null;
  }

  /** The click that ends a drag is not a tap. */
  function click(event: MouseEvent): void {
    if (!dragged) return;
    dragged = false;
    event.stopPropagation();
  }

  function key(event: KeyboardEvent): void {
    const here = (event.target as Element).closest<SVGGElement>("[data-place]");
    if (event.key === "Escape") picker.clear();
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    const hop = HOP[event.key];
    const way = WAY[event.key];
    const next = hop ? following(here, hop) : way && nearest(here, all(), way);
    if (!hop && !way) return;
    event.preventDefault();
    next?.focus();
  }

  /** The next place, or the one before, that a touch would do something with. */
  function following(here: SVGGElement, by: number): SVGGElement | undefined {
    const places = all();
    const at = places.indexOf(here);
    const round = places.map((_, n) => places[(at + by * (n + 1) + 2 * places.length) % places.length]);
    return round.find((place) => place?.dataset.live === "true");
  }

  /** One place of the board is in the tab order: where the focus was last, or else the first that can be touched. */
  function focus(event: FocusEvent): void {
    const here = (event.target as Element).closest<SVGGElement>("[data-place]");
    if (here) for (const place of all()) place.setAttribute("tabindex", place === here ? "0" : "-1");
  }

  const enter = (): void => {
    const places = all();
    if (places.some((place) => place.getAttribute("tabindex") === "0")) return;
    (places.find((place) => place.dataset.live === "true") ?? places[0])?.setAttribute("tabindex", "0");
  };
  svg.setAttribute("aria-description", t("Arrow keys go from place to place, N and P to the next or the previous one that can be touched, Enter touches it, Escape lets go."));
  const watcher = new MutationObserver(enter);
  watcher.observe(svg, { childList: true, subtree: true, attributeFilter: ["data-live"] });
  enter();

  const listeners: [EventTarget, string, (event: never) => void, boolean?][] = [
    [svg, "pointerdown", down],
    [window, "pointermove", move], // a quick hand has left the picture before the drag begins
    [window, "pointerup", up],
    [window, "pointercancel", up],
    [svg, "click", click, true],
    [svg, "keydown", key],
    [svg, "focusin", focus],
  ];
  for (const [target, name, listener, capture] of listeners) target.addEventListener(name, listener as EventListener, capture);
  return {
    destroy() {
      watcher.disconnect();
      for (const [target, name, listener, capture] of listeners) target.removeEventListener(name, listener as EventListener, capture);
    },
  };
}

/** The place in this direction that is nearest, where sideways counts double. */
function nearest(from: Element, places: SVGGElement[], [dx, dy]: [number, number]): SVGGElement | undefined {
  const centre = (element: Element): [number, number] => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  let best: SVGGElement | undefined;
  let least = Infinity;
  for (const place of places) {
    const [px, py] = centre(place);
    const along = (px - x) * dx + (py - y) * dy;
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (along < 2 || along + 2 * aside >= least) continue;
    [best, least] = [place, along + 2 * aside];
  }
  return best;
}
