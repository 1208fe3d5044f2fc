import { AppError, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { PrepareAnswer } from "./prepare-worker.ts";
import { prepareBatch, type PreparedBatch } from "./prepare.ts";

/** Bodies up to this size (bytes) are prepared on the event loop: moving them would cost more. */
export const inlineBytes = 256 * 1_024;
const workers = 2;
const maxQueued = 32;
/** Milliseconds after which a worker that does not answer is replaced. */
const prepareTimeoutMs = 30_000;

interface Job {
  id: number;
  body: Uint8Array;
  resolve: (batch: PreparedBatch) => void;
  reject: (error: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
}

interface Slot {
  worker: Worker;
  job: Job | undefined;
}

/** Prepares batches: small ones at once, large ones in one of two threads that start when needed. */
export class PreparePool {
  readonly #slots: Slot[] = [];
  readonly #queue: Job[] = [];
  #lastId = 0;
  #stopped = false;

  constructor(private readonly metrics: Metrics) {}

  /** Throws as `prepareBatch`, and 503 when too many large bodies wait. Takes `body` over. */
  async prepare(body: Uint8Array): Promise<PreparedBatch> {
    if (body.length <= inlineBytes) return prepareBatch(body);
    if (this.#stopped || this.#queue.length >= maxQueued) {
      throw unavailable("Too many large batches wait to be read", 2);
    }
    return await new Promise((resolve, reject) => {
      this.#queue.push({ id: ++this.#lastId, body, resolve, reject });
      this.#assign();
    });
  }

  /** Ends the threads; what they still had is refused with 503. */
  stop(): void {
    this.#stopped = true;
    for (const job of this.#queue.splice(0)) job.reject(unavailable("The service is stopping"));
    for (const slot of [...this.#slots]) {
      this.#discard(slot, unavailable("The service is stopping"));
    }
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      const slot = this.#slots.find(({ job }) => !job) ?? this.#open();
      if (!slot) break;
      const job = this.#queue.shift()!;
      slot.job = job;
      job.timer = setTimeout(
        () => this.#discard(slot, unavailable("The batch took too long to read")),
        prepareTimeoutMs,
      );
      slot.worker.postMessage({ id: job.id, body: job.body }, [job.body.buffer as ArrayBuffer]);
    }
    this.metrics.gauge("tributary_ingestion_prepare_queue", "Large batches that wait to be read")
      .set({}, this.#queue.length);
  }

  #open(): Slot | undefined {
    if (this.#slots.length >= workers) return undefined;
    const worker = new Worker(new URL("./prepare-worker.ts", import.meta.url), { type: "module" });
    const slot: Slot = { worker, job: undefined };
    worker.onmessage = ({ data }: MessageEvent<PrepareAnswer>) => this.#settle(slot, data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#discard(slot, new Error(`reading a batch failed: ${event.message}`));
    };
    this.#slots.push(slot);
    return slot;
  }

  #settle(slot: Slot, answer: PrepareAnswer): void {
    const { job } = slot;
    if (!job || job.id !== answer.id) return;
    slot.job = undefined;
    clearTimeout(job.timer);
    if ("batch" in answer) job.resolve(answer.batch);
    else if ("refused" in answer) {
      job.reject(new AppError(answer.refused.message, answer.refused.options));
    } else job.reject(new Error(answer.failed));
    this.#assign();
  }

  #discard(slot: Slot, error: unknown): void {
    slot.worker.terminate();
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    clearTimeout(slot.job?.timer);
    slot.job?.reject(error);
    if (!this.#stopped) this.#assign();
  }
}
