import type { Size } from "#web/graph/geometry.ts";
import type { LayoutAnswer, LayoutRequest } from "#web/graph/layout-port.ts";
import {
  frameDepth,
  gaps,
  type Layout,
  type LayoutInput,
  type View,
  type ViewNode,
} from "#web/graph/model.ts";

/** A worker as far as it is used; a `Worker` is one. */
export interface LayoutWorker {
  onmessage: ((event: { data: LayoutAnswer }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  postMessage(request: LayoutRequest): void;
  terminate(): void;
}

/** A request that a newer one, or its caller, ended: nothing is wrong, and its layout is not needed. */
export class LayoutCancelledError extends Error {
  override name = "LayoutCancelled";
}

interface PendingLayout {
  id: number;
  input: LayoutInput;
  resolve(layout: Layout): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Asks a worker for layouts, one at a time: a new request cancels the one before it. Where no worker can be made, or
 * it breaks before its first answer, layouts are made in this thread.
 */
export class LayoutClient {
  readonly #make: () => LayoutWorker;
  readonly #timeoutMs: number;
  #worker: LayoutWorker | null = null;
  #works = true;
  #answered = false;
  #waiting: PendingLayout | null = null;
  #lastId = 0;

  /**
   * `make` makes the worker when the first layout is requested. After `timeoutMs` milliseconds a layout times out and its
   * worker is terminated.
   */
  constructor(make: () => LayoutWorker, { timeoutMs = 20_000 }: { timeoutMs?: number } = {}) {
    this.#make = make;
    this.#timeoutMs = timeoutMs;
  }

  /** Rejects with `LayoutCancelledError` when a newer request comes, or `signal` is aborted; else on failure or timeout. */
  layout(input: LayoutInput, signal?: AbortSignal): Promise<Layout> {
    // Who gave up before asking takes the place of nobody.
    if (signal?.aborted) return Promise.reject(new LayoutCancelledError("aborted"));
    this.cancel();
    const id = ++this.#lastId;
    return new Promise<Layout>((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(id), this.#timeoutMs);
      this.#waiting = { id, input, resolve, reject, timer };
      signal?.addEventListener("abort", () => this.#isWaiting(id) && this.cancel(), { once: true });
      const worker = this.#open();
      if (worker) worker.postMessage({ id, input });
      else void this.#here(id);
    });
  }

  /** Ends the request that is waiting, if there is one. */
  cancel(): void {
    this.#take()?.reject(new LayoutCancelledError("a newer layout is wanted, or none"));
  }

  /** Ends the worker; a later request starts another one. */
  close(): void {
    this.cancel();
    this.#end();
  }

  #open(): LayoutWorker | null {
    if (!this.#works || this.#worker) return this.#worker;
    try {
      const worker = this.#make();
      worker.onmessage = ({ data }) => this.#answer(data);
      // deno-lint-ignore house/interface-text -- an error for developers
      worker.onerror = ({ message }) => this.#broke(message ?? "the worker broke");
      this.#worker = worker;
    } catch {
      this.#works = false;
    }
    return this.#worker;
  }

  /** In this thread; what lays out is loaded only then. */
  async #here(id: number): Promise<void> {
    try {
      const { layoutOf } = await import("#web/graph/layout/layout.ts");
      if (this.#isWaiting(id)) this.#answer({ id, layout: layoutOf(this.#waiting!.input) });
    } catch (error) {
      this.#answer({ id, error: String(error) });
    }
  }

  #answer({ id, layout, error }: LayoutAnswer): void {
    this.#answered = true;
    if (!this.#isWaiting(id)) return;
    if (layout) this.#take()!.resolve(layout);
    else this.#take()!.reject(new Error(error ?? "no layout came"));
  }

  #broke(message: string): void {
    this.#end();
    if (!this.#answered) {
      this.#works = false;
      if (this.#waiting) void this.#here(this.#waiting.id);
    } else this.#take()?.reject(new Error(message));
  }

  #giveUp(id: number): void {
    if (!this.#isWaiting(id)) return;
    this.#end();
    this.#take()!.reject(new Error(`no layout within ${this.#timeoutMs} ms`));
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #isWaiting(id: number): boolean {
    return this.#waiting?.id === id;
  }

  #take(): PendingLayout | null {
    const waiting = this.#waiting;
    if (waiting) clearTimeout(waiting.timer);
    this.#waiting = null;
    return waiting;
  }
}

/** What a layout needs of a view; `sizeOf` measures a box in pixels at zoom 1, `before` is that of `ranksOf`. */
export function layoutInputOf(
  { nodes, edges }: View,
  sizeOf: (node: ViewNode) => Size & { port?: number; space?: number },
  before?: Float32Array,
): LayoutInput {
  const index = new Map(nodes.map(({ key }, at) => [key, at]));
  const pairs = new Uint32Array(2 * edges.length);
  for (const [at, { from, to }] of edges.entries()) {
    pairs[2 * at] = index.get(from)!;
    pairs[2 * at + 1] = index.get(to)!;
  }
  const sizes = nodes.map(sizeOf);
  const frames = new Uint32Array(frameDepth * nodes.length);
  for (const [at, node] of nodes.entries()) frames.set(node.frames ?? [], frameDepth * at);
  return {
    widths: Float32Array.from(sizes, ({ width }) => width),
    heights: Float32Array.from(sizes, ({ height }) => height),
    ports: Float32Array.from(sizes, ({ height, port }) => port ?? height / 2),
    spaces: sizes.some(({ space }) => space !== undefined)
      ? Float32Array.from(sizes, ({ space }) => space ?? gaps.row)
      : undefined,
    edges: pairs,
    frames: frames.some((group) => group > 0) ? frames : undefined,
    before,
  };
}
