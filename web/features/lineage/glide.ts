import { moveTime } from "#web/graph/viewport.ts";

/** Milliseconds after which a view that was dragged has come to rest. */
const idleMs = 160;

/** What is on its way in a drawing: one glide at a time, and whether somebody is dragging or zooming. */
export class Glide {
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
    const share = Math.min(Math.max((now - this.#start) / moveTime(false), 0), 1);
    this.#run(share);
    if (share >= 1) this.#run = null;
    else this.#changed();
  }

  end(): void {
    clearTimeout(this.#idleTimer);
    this.#run = null;
  }
}
