/** Runs in a page before its own scripts: what is painted, shifted and blocked, and when a layout was drawn. */
export function watch(): void {
  const seen = { fcp: 0, lcp: 0, cls: 0, tbt: 0, laidOut: 0, drawn: 0 };
  const on = (type: string, note: (entry: Record<string, number> & { name: string }) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach((each) => note(each as never)))
      .observe({ type, buffered: true } as never);
  on("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") seen.fcp = startTime!;
  });
  on("largest-contentful-paint", ({ startTime }) => seen.lcp = startTime!);
  on("layout-shift", ({ value }) => seen.cls += value!);
  on("longtask", ({ duration }) => seen.tbt += Math.max(0, duration! - 50));
  const page = globalThis as unknown as {
    Worker: new (...given: unknown[]) => EventTarget;
    HTMLCanvasElement: { prototype: { getContext: (...given: unknown[]) => unknown } };
    requestAnimationFrame: (done: () => void) => void;
  };
  page.Worker = class extends page.Worker {
    constructor(...given: unknown[]) {
      super(...given);
      this.addEventListener("message", () => seen.laidOut = performance.now());
    }
  };
  const canvas = page.HTMLCanvasElement.prototype;
  const { getContext } = canvas;
  canvas.getContext = function (this: { role?: string }, ...given) {
    // The drawing asks for its context whenever it paints; the next frame has what it painted.
    if (seen.laidOut > 0 && seen.drawn === 0 && this.role === "application") {
      page.requestAnimationFrame(() => seen.drawn = performance.now());
    }
    return getContext.apply(this, given);
  };
  Object.assign(globalThis, { seen });
}

export interface PageTimings {
  fcp: number;
  lcp: number;
  cls: number;
  tbt: number;
  laidOut: number;
  drawn: number;
}
