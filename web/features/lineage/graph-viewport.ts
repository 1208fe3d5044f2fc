import type { Gesture } from "#web/features/lineage/gestures.ts";
import { hiddenCanvas, openingView, originOf, rootView } from "#web/features/lineage/opening.ts";
import { onThemeChange, themeOf } from "#web/features/lineage/page-theme.ts";
import type { Arrival } from "#web/features/lineage/use-scene.ts";
import { clampTo, grown, type Point, type Rect, type Size } from "#web/graph/geometry.ts";
import { hoverMarks, type MarkedElements, type Marks, marksOf, noMarks } from "#web/graph/marks.ts";
import { Painter } from "#web/graph/paint.ts";
import type { Hit, Picker } from "#web/graph/pick.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { alwaysNamed, type Theme } from "#web/graph/style.ts";
import {
  between,
  clamped,
  easedAt,
  fit,
  moveTime,
  pan,
  reveal,
  toScreen,
  toWorld,
  type Viewport,
  zoomAt,
} from "#web/graph/viewport.ts";
import { notePartMissing } from "#web/kit/lazy-component.tsx";

/** How something was picked; without a point by a key. */
export interface Press {
  shift: boolean;
  double: boolean;
  /** Where in the drawing. */
  at?: Point;
}

export interface ViewportEvents {
  /** Something was clicked; null for the ground. */
  onPick: (hit: Hit | null, event: Press) => void;
  onHover: (hit: Hit | null) => void;
}

/** A canvas that shows a scene: what is seen of it, what is marked, and how it moves. */
export class GraphViewport {
  readonly #canvas: HTMLCanvasElement;
  readonly #events: ViewportEvents;
  readonly #painter = new Painter((data) => new Path2D(data));
  readonly #glide = new Glide(() => this.#changed());
  readonly #over = new AbortController();
  readonly #listeners = new Set<() => void>();
  #scene: Scene | null = null;
  #picker: Picker | null = null;
  #makePicker: ((scene: Scene) => Picker) | null = null;
  #marked: MarkedElements = {};
  #marks: Marks | null = null;
  #theme: Theme;
  #view: Viewport = { x: 0, y: 0, zoom: 1 };
  #size: Size = { width: 0, height: 0 };
  #opening: Viewport | null = null;
  #frame = 0;
  #focus = -1;
  #shown: Scene | null = null;

  constructor(canvas: HTMLCanvasElement, events: ViewportEvents) {
    this.#canvas = canvas;
    this.#events = events;
    this.#theme = themeOf(canvas.parentElement!);
    const { signal } = this.#over;
    // The drawing comes first, then what is done with it.
    void import("#web/features/lineage/gestures.ts").then((loaded) => {
      if (signal.aborted) return;
      this.#makePicker = (scene) => new loaded.Picker(scene);
      const layer = new loaded.LineLayer(hiddenCanvas);
      this.#painter.extend({ paintBlocks: loaded.paintBlocks, layer });
      this.#changed();
      new loaded.Gestures(canvas, (gesture) => this.#on(gesture), signal);
    }, () => notePartMissing(true));
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(canvas);
    signal.addEventListener("abort", () => resized.disconnect());
    onThemeChange(() => {
      this.#theme = themeOf(canvas.parentElement!);
      this.#changed();
    }, signal);
    this.#resize();
  }

  end(): void {
    cancelAnimationFrame(this.#frame);
    this.#over.abort();
    this.#glide.end();
  }

  /** Calls back when what is seen changes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get view(): Viewport {
    return this.#view;
  }
  /** Nobody has moved it since it was opened. */
  get untouched(): boolean {
    return this.#view === this.#opening;
  }
  get size(): Size {
    return this.#size;
  }
  get theme(): Theme {
    return this.#theme;
  }
  get marks(): Marks | null {
    return this.#marks;
  }

  /** Shows another drawing; the first one at `view`, relative to its origin, or where it is legible. */
  show({ scene, onTheWay, refit }: Arrival, view: Viewport | null): void {
    this.#scene = this.#shown = scene;
    this.#picker = null;
    this.#focus = -1;
    this.#mark();
    if (this.#opening === null && this.#size.width > 0) {
      const { x, y } = originOf(scene);
      this.#opening = this.#view = view
        ? { x: view.x + x, y: view.y + y, zoom: view.zoom }
        : openingView(scene, this.#size);
    } else if (refit) {
      this.#glide.end();
      this.#opening = this.#view = openingView(scene, this.#size);
    } else if (onTheWay) {
      this.#glide.start((share) => this.#shown = share >= 1 ? scene : onTheWay(easedAt(share)));
    }
    this.#changed();
  }

  mark(marked: MarkedElements): void {
    this.#marked = marked;
    this.#mark();
    this.#changed();
  }

  /** Puts the ring on a box (-1 for none) and brings it into view. */
  focus(box: number): void {
    this.#focus = box;
    if (this.#marks) this.#marks.focus = box;
    if (box >= 0 && this.#scene) {
      // Of an opened card that is higher than the screen, its beginning.
      const rect = rectOf(this.#scene, box);
      const height = Math.min(rect.height, this.#size.height / this.#view.zoom / 2);
      this.moveTo(reveal(this.#view, this.#size, { ...rect, height }, 64));
    }
    this.#changed();
  }

  fit(): void {
    if (this.#scene) this.moveTo(fit(this.#scene.bounds, this.#size));
  }

  center(): void {
    if (this.#scene) this.moveTo(rootView(this.#scene, this.#size, this.#view.zoom));
  }

  zoom(factor: number): void {
    const middle = { x: this.#size.width / 2, y: this.#size.height / 2 };
    this.moveTo(zoomAt(this.#view, this.#size, middle, factor));
  }

  /** Glides there, or is there at once for people who asked for less motion. */
  moveTo(target: Viewport): void {
    const from = this.#view;
    if (from.x === target.x && from.y === target.y && from.zoom === target.zoom) return;
    this.#glide.start((share) => this.#view = between(from, target, share));
  }

  /** Puts a point of the drawing in the middle, at once. */
  jump(point: Point): void {
    this.#see({ ...this.#view, ...point });
  }

  /** Where a box is on the screen, in pixels from the corner of the canvas. */
  onScreen(box: number): Rect | null {
    if (!this.#shown || box < 0 || box >= this.#shown.boxes.length) return null;
    const rect = rectOf(this.#shown, box);
    const { x, y } = toScreen(this.#view, this.#size, rect);
    return { x, y, width: rect.width * this.#view.zoom, height: rect.height * this.#view.zoom };
  }

  #mark(): void {
    if (!this.#scene) return;
    const hover = this.#marks ?? noMarks(this.#scene);
    this.#marks = { ...marksOf(this.#scene, this.#marked), focus: this.#focus };
    if (hover.boxes.length === this.#marks.boxes.length) this.#marks.hover = hover.hover;
  }

  #on(gesture: Gesture): void {
    switch (gesture.kind) {
      case "pan":
        return this.#see(pan(this.#view, gesture.dx, gesture.dy));
      case "zoom":
        return this.#see(zoomAt(this.#view, this.#size, gesture.at, gesture.factor));
      case "hover":
        return this.#hover(gesture.at);
      case "click": {
        const { shift, double } = gesture;
        const at = toWorld(this.#view, this.#size, gesture.at);
        return this.#events.onPick(this.#hitAt(gesture.at), { shift, double, at });
      }
    }
  }

  /** Shows another part at once, and ends what moves. */
  #see(view: Viewport): void {
    this.#glide.drag();
    this.#shown = this.#scene;
    this.#view = this.#scene ? clamped(view, grown(this.#scene.bounds, 100)) : view;
    this.#changed();
  }

  #hitAt(at: Point): Hit | null {
    if (this.#scene) this.#picker ??= this.#makePicker?.(this.#scene) ?? null;
    return this.#picker?.at(toWorld(this.#view, this.#size, at), this.#view.zoom) ?? null;
  }

  #hover(at: Point | null): void {
    if (!this.#marks) return;
    const hit = at && this.#hitAt(at);
    const next = hoverMarks(this.#scene!, this.#marks, hit);
    if (!next) return;
    this.#canvas.style.cursor = hit && !next.frame ? "pointer" : "grab";
    Object.assign(this.#marks, next);
    this.#events.onHover(hit);
    this.#changed();
  }

  #resize(): void {
    this.#size = sizeCanvas(this.#canvas);
    // What has the focus stays in view when something opens next to the drawing.
    if (this.#focus >= 0) this.focus(this.#focus);
    this.#draw();
    this.#changed();
  }

  #changed(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#paint(now));
  }

  #paint(now: number): void {
    this.#frame = 0;
    this.#glide.step(now);
    this.#draw();
    for (const listener of this.#listeners) listener();
  }

  /** An opaque canvas is black until it is painted, so it is requested no sooner than that. */
  #draw(): void {
    if (!this.#shown || !this.#marks) return;
    const brush = this.#canvas.getContext("2d", { alpha: false });
    const moving = this.#glide.dragged;
    const seen = { view: this.#view, size: this.#size, ratio: pixelRatio(), theme: this.#theme };
    const isNamed = this.#shown.boxes.length <= alwaysNamed;
    const drawn = { scene: this.#shown, marks: this.#marks, moving, isNamed };
    if (brush) this.#painter.paint(brush, { ...seen, ...drawn });
  }
}

/** At most so many device pixels per CSS pixel: more cost time and show nothing more. */
const maxRatio = 2;

function pixelRatio(): number {
  return clampTo(devicePixelRatio, 1, maxRatio);
}

/** Gives a canvas as many pixels as its element has; the size of the element. */
function sizeCanvas(canvas: HTMLCanvasElement): Size {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = pixelRatio();
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  return { width, height };
}

/** Milliseconds after which a view that was dragged has come to rest. */
const idleMs = 160;

/** What is on its way in a drawing: one glide at a time, and whether somebody is dragging or zooming. */
class Glide {
  readonly #changed: () => void;
  #run: ((share: number) => void) | null = null;
  #start = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called when there is another frame to paint. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Somebody drags or zooms; until it rests, nothing has to be sharp. */
  get dragged(): boolean {
    return this.#idleTimer !== undefined;
  }

  drag(): void {
    this.#run = null;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      this.#changed();
    }, idleMs);
  }

  /** Calls `run` with shares from 0 to 1 as time goes by, or once for people who asked for less motion. */
  start(run: (share: number) => void): void {
    this.#run?.(1);
    const still = moveTime(matchMedia("(prefers-reduced-motion: reduce)").matches) === 0;
    if (still) run(1);
    this.#run = still ? null : run;
    this.#start = performance.now();
    this.#changed();
  }

  step(now: number): void {
    if (!this.#run) return;
    const share = clampTo((now - this.#start) / moveTime(false), 0, 1);
    this.#run(share);
    if (share >= 1) this.#run = null;
    else this.#changed();
  }

  end(): void {
    clearTimeout(this.#idleTimer);
    this.#run = null;
  }
}
