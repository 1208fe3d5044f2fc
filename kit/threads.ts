import { clearTimeout, setTimeout } from "node:timers";
import { deserialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { unavailable } from "#kit/errors.ts";
import { type AbortReason, ThreadAbortedError } from "#kit/thread-aborted.ts";
import type { Counter, Gauge, Metrics } from "#kit/metrics.ts";
import {
  bufferOf,
  type ThreadAnswer,
  type ThreadJob,
  threadReady,
  type ThreadStart,
  unpacked,
} from "#kit/thread.ts";

export interface ThreadPoolOptions {
  /** Value of the label `pool` of its metrics. */
  name: string;
  /** The script of each thread; it calls `serveJobs`. */
  script: URL;
  metrics: Metrics;
  /** Most threads; each is started when it is first needed. */
  threads: number;
  /** Maximum number of jobs that may wait, in addition to the running ones. */
  maxQueued: number;
  /** Milliseconds that a job may take before its thread is ended. */
  deadlineMs: number;
  /** Heap limit of a thread, megabytes; a thread that exceeds it is ended. */
  heapMb: number;
  /** Milliseconds without a job after which a thread is ended; by default it stays. */
  idleMs?: number;
  /** The same for a thread whose heap is large; by default 10 s. */
  largeIdleMs?: number;
  /** Milliseconds that a thread rests after a job that took `tookMs`, whatever waits; by default none. */
  cooldownMs?: (tookMs: number) => number;
}

export interface RunOptions {
  /**
   * Passed to the script with `input`. The bytes are transferred, not copied: the caller cannot use them
   * afterwards.
   */
  bytes?: Uint8Array;
  /** Only one heavy job runs at a time, because of the memory it takes. */
  heavy?: boolean;
}

interface Job {
  id: number;
  input: unknown;
  heavy: boolean;
  bytes: ArrayBuffer;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
}

/** A thread. It occupies its slot until it has ended, so there are never more threads than configured. */
interface Slot {
  worker: Worker;
  isReady: boolean;
  job: Job | undefined;
  /** When the job was begun, `performance.now()`. */
  begun: number;
  isCoolingDown: boolean;
  /** Ends the thread: when its job takes too long, or it has none for too long. */
  timer: ReturnType<typeof setTimeout> | undefined;
  ending: boolean;
}

/** Milliseconds beyond the deadline in which a thread may end its job by itself. */
const graceMs = 5_000;

/**
 * Runs jobs in threads, so that the event loop stays free, and a job that never ends or needs too much memory
 * affects only itself.
 */
export class ThreadPool<I, O> {
  readonly #slots: Slot[] = [];
  readonly #queue: Job[] = [];
  readonly #waiting: Gauge;
  readonly #abortedCounter: Counter;
  #lastId = 0;
  #stopped = false;

  constructor(private readonly options: ThreadPoolOptions) {
    const { metrics } = options;
    this.#waiting = metrics.gauge(
      "tributary_thread_jobs_waiting",
      "Jobs waiting for a thread",
      ["pool"],
    );
    this.#abortedCounter = metrics.counter(
      "tributary_threads_given_up_total",
      "Threads terminated with their job: deadline exceeded, out of memory, or crashed",
      ["pool", "reason"],
    );
  }

  /**
   * Resolves with the script's result for `input`. Rejects with the errors of the script, and with a 503
   * `AppError` when too many jobs wait or the thread was ended early.
   */
  async run(input: I, { bytes = new Uint8Array(), heavy = false }: RunOptions = {}): Promise<O> {
    if (this.#stopped || this.#queue.length >= this.options.maxQueued) {
      throw unavailable("Too many large bodies wait to be read", 2);
    }
    return await new Promise<O>((resolve, reject) => {
      const id = ++this.#lastId;
      const job = {
        id,
        input,
        heavy,
        bytes: bufferOf(bytes),
        resolve: resolve as Job["resolve"],
        reject,
      };
      this.#queue.push(job);
      this.#assign();
    });
  }

  /** Ends the threads; jobs that are not done are refused with 503. */
  stop(): void {
    this.#stopped = true;
    for (const job of this.#queue.splice(0)) job.reject(unavailable("The service is stopping"));
    for (const slot of [...this.#slots]) this.#end(slot, unavailable("The service is stopping"));
    this.#measure();
  }

  #assign(): void {
    for (;;) {
      const next = this.#next();
      if (next < 0) break;
      const slot = this.#slots.find(isFree) ?? this.#open();
      if (!slot) break;
      const [job] = this.#queue.splice(next, 1) as [Job];
      slot.job = job;
      slot.begun = performance.now();
      clearTimeout(slot.timer);
      slot.timer = setTimeout(
        () => this.#giveUp(slot, "deadline"),
        this.options.deadlineMs + graceMs,
      );
      if (slot.isReady) post(slot, job);
    }
    this.#measure();
  }

  /** Index of the next waiting job that may start; -1 when there is none. */
  #next(): number {
    const heavyAtWork = this.#slots.some(({ job }) => job?.heavy);
    return this.#queue.findIndex(({ heavy }) => !(heavy && heavyAtWork));
  }

  #open(): Slot | undefined {
    const { threads, script, heapMb, deadlineMs } = this.options;
    if (this.#slots.length >= threads) return undefined;
    const start: ThreadStart = { deadlineMs };
    const worker = new Worker(script, {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const slot: Slot = {
      worker,
      isReady: false,
      job: undefined,
      begun: 0,
      isCoolingDown: false,
      timer: undefined,
      ending: false,
    };
    worker.on("message", (message: ThreadAnswer | typeof threadReady) => {
      if (message !== threadReady) return this.#settle(slot, message);
      slot.isReady = true;
      if (slot.job) post(slot, slot.job);
    });
    worker.on("error", (error: Error & { code?: string }) => {
      const outOfMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      this.#giveUp(slot, outOfMemory ? "memory" : "crash");
    });
    worker.on("exit", () => this.#gone(slot));
    // An idle thread must not keep the process alive; while a job runs, its timer does.
    worker.unref();
    this.#slots.push(slot);
    return slot;
  }

  #settle(slot: Slot, answer: ThreadAnswer): void {
    const { job } = slot;
    if (!job || job.id !== answer.id) return;
    if ("late" in answer) return this.#giveUp(slot, "deadline");
    slot.job = undefined;
    clearTimeout(slot.timer);
    if ("thrown" in answer) job.reject(unpacked(answer.thrown));
    else job.resolve(deserialize(new Uint8Array(answer.output)));
    // The slot becomes free when the thread's exit is reported; no other thread starts before that.
    slot.ending = answer.exiting;
    this.#coolDown(slot);
    this.#assign();
    const { idleMs = Infinity, largeIdleMs = 10_000 } = this.options;
    const max = answer.large ? Math.min(idleMs, largeIdleMs) : idleMs;
    if (max === Infinity || slot.job || slot.ending) return;
    slot.timer = setTimeout(() => this.#end(slot), max);
    slot.timer.unref();
  }

  #coolDown(slot: Slot): void {
    const ms = this.options.cooldownMs?.(performance.now() - slot.begun) ?? 0;
    if (ms <= 0) return;
    slot.isCoolingDown = true;
    setTimeout(() => {
      slot.isCoolingDown = false;
      this.#assign();
    }, ms);
  }

  #giveUp(slot: Slot, reason: AbortReason): void {
    if (slot.ending) return;
    this.#abortedCounter.inc({ pool: this.options.name, reason });
    this.#end(slot, new ThreadAbortedError(reason));
  }

  #end(slot: Slot, error?: Error): void {
    if (slot.ending) return;
    slot.ending = true;
    clearTimeout(slot.timer);
    slot.job?.reject(error);
    slot.job = undefined;
    void slot.worker.terminate().then(() => this.#gone(slot), () => this.#gone(slot));
  }

  #gone(slot: Slot): void {
    const at = this.#slots.indexOf(slot);
    if (at < 0) return;
    this.#slots.splice(at, 1);
    if (!slot.ending) this.#giveUp(slot, "crash");
    if (!this.#stopped) this.#assign();
  }

  #measure(): void {
    this.#waiting.set({ pool: this.options.name }, this.#queue.length);
  }
}

function post({ worker }: Slot, { id, input, bytes }: Job): void {
  const message: ThreadJob = { id, input, bytes };
  worker.postMessage(message, [bytes]);
}

const isFree = ({ job, ending, isCoolingDown }: Slot) => !job && !ending && !isCoolingDown;
