import type { Point } from "#web/graph/geometry.ts";

// Loaded with the gestures, after the first picture: what else a drawing needs once somebody moves or points at it.
export { LineLayer, paintBlocks } from "#web/graph/paint/from-far.ts";
export { Picker } from "#web/graph/pick.ts";

/** What somebody does with pointer and wheel; places in pixels from the corner of the element. */
export type Gesture =
  | { kind: "pan"; dx: number; dy: number }
  | { kind: "zoom"; at: Point; factor: number }
  | { kind: "hover"; at: Point | null }
  | { kind: "click"; at: Point; shift: boolean; double: boolean };

/** Where a pointer was last; what is loaded to show there appears before it moves again. */
export let lastPointer: Pick<PointerEvent, "clientX" | "clientY"> | null = null;

/** Pixels by which a pointer may move and still click. */
const clickMoves = 4;

/** Milliseconds within which a second click makes a double one. */
const doubleMs = 350;

/** Drag, wheel, pinch and click of one element. */
export class Gestures {
  readonly #element: HTMLElement;
  readonly #onGesture: (gesture: Gesture) => void;
  readonly #pointers = new Map<number, Point>();
  #travelled = 0;
  #lastClick = { x: 0, y: 0, at: -Infinity };

  /** Until `signal` is aborted. */
  constructor(
    element: HTMLElement,
    onGesture: (gesture: Gesture) => void,
    signal: AbortSignal,
  ) {
    this.#element = element;
    this.#onGesture = onGesture;
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    element.addEventListener("pointermove", (event) => this.#move(event), { signal });
    element.addEventListener("pointerup", (event) => this.#up(event), { signal });
    element.addEventListener(
      "pointercancel",
      ({ pointerId }) => this.#pointers.delete(pointerId),
      { signal },
    );
    element.addEventListener("pointerleave", () => onGesture({ kind: "hover", at: null }), {
      signal,
    });
    element.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
  }

  #at(event: MouseEvent): Point {
    const { left, top } = this.#element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#element.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#at(event));
    this.#travelled = this.#pointers.size > 1 ? Infinity : 0;
  }

  #move(event: PointerEvent): void {
    lastPointer = event;
    const before = this.#pointers.get(event.pointerId);
    const at = this.#at(event);
    if (!before) return this.#onGesture({ kind: "hover", at });
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    this.#travelled += Math.hypot(dx, dy);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, at);
    if (other) {
      const spread = (point: Point) =>
        Math.max(Math.hypot(point.x - other.x, point.y - other.y), 1);
      const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
      this.#onGesture({ kind: "zoom", at: middle, factor: spread(at) / spread(before) });
      this.#onGesture({ kind: "pan", dx: dx / 2, dy: dy / 2 });
    } else if (this.#travelled > clickMoves) this.#onGesture({ kind: "pan", dx, dy });
  }

  #up(event: PointerEvent): void {
    const known = this.#pointers.delete(event.pointerId);
    if (!known || this.#travelled > clickMoves) return;
    const shift = event.shiftKey || event.ctrlKey || event.metaKey;
    const at = this.#at(event);
    const last = this.#lastClick;
    const double = event.timeStamp - last.at < doubleMs &&
      Math.hypot(at.x - last.x, at.y - last.y) < 8;
    this.#lastClick = { ...at, at: double ? -Infinity : event.timeStamp };
    this.#onGesture({ kind: "click", at, shift, double });
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey || (dx !== 0 && !event.ctrlKey)) {
      return this.#onGesture({ kind: "pan", dx: -(dx || dy), dy: dx ? -dy : 0 });
    }
    // A pinch on a touchpad comes as a small wheel with Ctrl.
    const step = event.ctrlKey ? 0.01 : 0.0015;
    const factor = Math.exp(-Math.max(Math.min(dy, 240), -240) * step);
    this.#onGesture({ kind: "zoom", at: this.#at(event), factor });
  }
}
