import type { LineageGraph } from "#graph/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";

/** How one chunk of a batch ended, as the consumer recorded it. */
export interface ChunkOutcome {
  batch: string;
  part: number;
  outcome: "applied" | "refused";
  position: number;
  detail: RefusalDetail | null;
}

/** Why a chunk, or of an applied one some items, were refused: the answer's status, message and details. */
interface RefusalDetail {
  /** Of an applied chunk: number of items that were left out. */
  left_out?: number;
  status?: number;
  reason?: string;
  message?: string;
  details?: { field: string; message: string }[];
}

interface WaitOptions {
  db: Database;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  /** Maximum number of batches or positions that requests wait for at a time; further requests do not wait. */
  maxWaiters?: number;
  pollMs?: number;
}

interface OutcomeWaiter {
  batch: string;
  parts: number;
  /** Milliseconds since the epoch. */
  deadline: number;
  known: ChunkOutcome[];
  resolve: (known: ChunkOutcome[]) => void;
}

/** A batch whose outcomes a request waits for. */
export interface PendingOutcome {
  /** The outcomes of all chunks, or those known when the time ran out or the service stopped. */
  outcomes: Promise<ChunkOutcome[]>;
  cancel(): void;
}

/**
 * All requests of this process that wait for the outcome of a batch. The consumer's notification
 * wakes them; a single query for all of them also runs every `pollMs`.
 */
export class Outcomes {
  readonly #waiters = new Map<string, OutcomeWaiter>();
  readonly #due = new Set<string>();
  readonly #maxWaiters: number;
  #unlisten: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #reading = false;
  #stopped = false;

  constructor(private readonly options: WaitOptions & { metrics: Metrics }) {
    this.#maxWaiters = options.maxWaiters ?? 1_000;
  }

  /**
   * Starts to wait; call it before the batch is published, so that no notification is missed.
   * Undefined when too many requests wait already, or the service is stopping.
   */
  expect(batch: string, parts: number, timeoutMs: number): PendingOutcome | undefined {
    if (this.#stopped || this.#waiters.size >= this.#maxWaiters) return undefined;
    this.#unlisten ??= this.options.wakeups.on("applied_batch", (batch) => this.#wake(batch));
    this.#timer ??= setInterval(() => this.#tick(), this.options.pollMs ?? 250);
    const deadline = this.options.clock.now() + timeoutMs;
    const outcomes = new Promise<ChunkOutcome[]>((resolve) => {
      this.#waiters.set(batch, { batch, parts, deadline, known: [], resolve });
    });
    this.#measure();
    return { outcomes, cancel: () => this.#end(batch) };
  }

  /** Releases all waiting requests with the outcomes known so far. */
  stop(): void {
    this.#stopped = true;
    this.#unlisten?.();
    clearInterval(this.#timer);
    for (const batch of [...this.#waiters.keys()]) this.#end(batch);
  }

  #wake(batch: string): void {
    if (batch === "") this.#all();
    else if (!this.#waiters.has(batch)) return;
    else this.#due.add(batch);
    void this.#read();
  }

  #tick(): void {
    const now = this.options.clock.now();
    for (const { batch, deadline } of [...this.#waiters.values()]) {
      if (deadline <= now) this.#end(batch);
    }
    this.#all();
    void this.#read();
  }

  #all(): void {
    for (const batch of this.#waiters.keys()) this.#due.add(batch);
  }

  /** Runs one query at a time; requests that become due meanwhile are part of the next. */
  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#due.size > 0) {
        const batches = [...this.#due];
        this.#due.clear();
        this.#take(await this.options.db.query(outcomesOfBatches, [batches]));
      }
    } catch (error) {
      this.options.log.warn("outcomes of batches could not be read", { error });
    } finally {
      this.#reading = false;
    }
  }

  #take(rows: ChunkOutcome[]): void {
    const byBatch = Map.groupBy(rows, (row) => row.batch);
    for (const [batch, known] of byBatch) {
      const waiter = this.#waiters.get(batch);
      if (!waiter) continue;
      waiter.known = known;
      if (known.length >= waiter.parts) this.#end(batch);
    }
  }

  #end(batch: string): void {
    const waiter = this.#waiters.get(batch);
    if (!waiter) return;
    this.#waiters.delete(batch);
    this.#due.delete(batch);
    waiter.resolve(waiter.known);
    this.#measure();
  }

  #measure(): void {
    this.options.metrics.gauge("tributary_ingestion_waiters", "Batches with a pending outcome")
      .set({}, this.#waiters.size);
  }
}

/** The outcomes of these batches that are known so far. */
const outcomesOfBatches = statement<ChunkOutcome>("ingestion_outcomes")`
  SELECT batch, part, outcome, position, detail FROM applied_batch WHERE batch = ANY($1)`;

interface PositionWaiter {
  position: number;
  since: number;
  deadline: number;
  resolve: (reached: boolean) => void;
}

/** Milliseconds of silence after which the projector counts as down. */
const maxSilentMs = 15_000;
/** Silence counts only after the projector had this long to react to the new position. */
const graceMs = 2_000;

/** All requests of this process that wait until the projected graph has reached a position. */
export class ProjectionWait {
  readonly #waiters = new Set<PositionWaiter>();
  #unlisten: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #reading = false;
  #isRepeated = false;
  #stopped = false;

  constructor(
    private readonly options: WaitOptions & { graph: Pick<LineageGraph, "projection"> },
  ) {}

  /**
   * True at once where the graph is not a copy. False when it is down, when too many requests wait,
   * or when it still lags behind at the deadline or when the service stops.
   */
  reached(position: number, timeoutMs: number): Promise<boolean> {
    if (this.options.graph.projection === "inline") return Promise.resolve(true);
    const full = this.#waiters.size >= (this.options.maxWaiters ?? 1_000);
    if (this.#stopped || full) return Promise.resolve(false);
    this.#unlisten ??= this.options.wakeups.on("projection", () => void this.#read());
    this.#timer ??= setInterval(() => this.#tick(), this.options.pollMs ?? 250);
    const since = this.options.clock.now();
    const result = new Promise<boolean>((resolve) => {
      this.#waiters.add({ position, since, deadline: since + timeoutMs, resolve });
    });
    void this.#read();
    return result;
  }

  stop(): void {
    this.#stopped = true;
    this.#unlisten?.();
    clearInterval(this.#timer);
    for (const waiter of this.#waiters) this.#end(waiter, false);
  }

  #tick(): void {
    const now = this.options.clock.now();
    for (const waiter of this.#waiters) if (waiter.deadline <= now) this.#end(waiter, false);
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#reading) {
      this.#isRepeated = true;
      return;
    }
    this.#reading = true;
    try {
      do {
        this.#isRepeated = false;
        if (this.#waiters.size === 0) break;
        const [status] = await this.options.db.query(projectionStatus);
        this.#evaluate(status);
      } while (this.#isRepeated);
    } catch (error) {
      this.options.log.warn("position of the graph could not be read", { error });
    } finally {
      this.#reading = false;
    }
  }

  #evaluate(status: ProjectionStatus | undefined): void {
    const now = this.options.clock.now();
    for (const waiter of this.#waiters) {
      if (status && status.position >= waiter.position) this.#end(waiter, true);
      // Without any report yet, the projector is only just starting.
      else if (!status) continue;
      else if (status.state !== "running") this.#end(waiter, false);
      else if (status.silentMs > maxSilentMs && now - waiter.since > graceMs) {
        this.#end(waiter, false);
      }
    }
  }

  #end(waiter: PositionWaiter, reached: boolean): void {
    this.#waiters.delete(waiter);
    waiter.resolve(reached);
  }
}

/** The position of the projected graph; there is none before a projector ran. */
interface ProjectionStatus {
  position: number;
  state: string;
  /** Milliseconds since the projector's last report. */
  silentMs: number;
}

const projectionStatus = statement<ProjectionStatus>("ingestion_projection")`
  SELECT position, state,
         (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "silentMs"
    FROM projection_status`;
