import type { Context } from "#platform/context.ts";
import { tracesSpans } from "#contract/topics.ts";
import type { SpanFact } from "#contract/traces.ts";
import type { BatchContext, EventLog, LogRecord } from "#eventlog/port.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";
import { unpack } from "../facts/records.ts";
import type { PairingMetrics } from "./metrics.ts";
import { Batch, type Observation } from "./observations.ts";
import { type PairingOptions, SpanPairer } from "./pairing.ts";
import { decodePositions, encodePositions } from "./positions.ts";
import {
  type Checkpoint,
  commit,
  createCheckpoint,
  findCheckpoint,
  Marks,
  restartCheckpoint,
} from "./store.ts";

export interface PartitionOptions extends Pick<Context, "db" | "events" | "log"> {
  metrics: PairingMetrics;
  pairing: PairingOptions;
  /** Rows of edges after which a run of records is written down. */
  maxRows: number;
  /** Puts a record that cannot be read where somebody will find it. */
  refuse: (record: LogRecord, why: PermanentError) => Promise<void>;
}

interface Rebuilt {
  pairing: SpanPairer;
  marks: Marks;
}

interface State extends Rebuilt {
  nextOffset: number;
}

/**
 * Counts one partition of the log of spans into edges. What it remembers is rebuilt from the log when
 * it begins, and whenever something went wrong: so a failure half-way leaves nothing behind.
 */
export class PartitionCounter {
  #state: State | undefined;
  #busy = false;

  constructor(readonly partition: number, private readonly options: PartitionOptions) {}

  /** The next offset; null when nothing is remembered, or records are being handled. */
  get idleAt(): number | null {
    return this.#busy || !this.#state ? null : this.#state.nextOffset;
  }

  /** Takes records that the log delivered; those that were counted before have no second effect. */
  async handle(
    records: LogRecord[],
    context: Pick<BatchContext, "signal" | "done">,
  ): Promise<void> {
    this.#busy = true;
    try {
      const state = await this.#stateFor(records[0]!.offset);
      await this.#missed(state, records[0]!.offset);
      await this.#count(state, records, context);
    } catch (error) {
      this.#state = undefined;
      throw error;
    } finally {
      this.#busy = false;
    }
  }

  async #stateFor(first: number): Promise<State> {
    const known = this.#state;
    if (known && first === known.nextOffset) return known;
    // A record delivered again was counted already, unless the log was shortened and holds another record there.
    if (known && first < known.nextOffset && known.nextOffset <= await this.#end()) return known;
    const checkpoint = await this.#checkpoint(first);
    const { events, pairing } = this.options;
    const rebuilt = await rebuild(events, this.partition, checkpoint, pairing);
    return this.#state = { ...rebuilt, nextOffset: checkpoint.nextOffset };
  }

  /** Offset that the next record of the partition will get. */
  async #end(): Promise<number> {
    const bounds = await this.options.events.bounds(tracesSpans);
    const bound = bounds.find(({ partition }) => partition === this.partition);
    if (!bound) throw new Error(`the log does not report the end of partition ${this.partition}`);
    return bound.end;
  }

  async #checkpoint(first: number): Promise<Checkpoint> {
    const { db, events, log } = this.options;
    await createCheckpoint(db, this.partition, first);
    const found = await findCheckpoint(db, this.partition);
    if (!found) throw new Error(`partition ${this.partition} has no checkpoint`);
    const end = await this.#end();
    if (found.nextOffset <= end) return found;
    const next = await firstAfter(events, this.partition, { from: first, to: end }, found.time);
    log.error("log of spans ends before the counted position: it lost records or is new", {
      partition: this.partition,
      counted: found.nextOffset,
      end,
      next,
    });
    await restartCheckpoint(db, this.partition, next, found);
    return await findCheckpoint(db, this.partition) ?? found;
  }

  /** Records that the group passed without counting them, after its offsets were moved by hand. */
  async #missed(state: State, first: number): Promise<void> {
    if (first <= state.nextOffset) return;
    const { events } = this.options;
    const run = new Run(state);
    for await (const record of recordsOf(events, this.partition, state.nextOffset, first)) {
      await this.#take(state, run, record);
      if (run.batch.rows >= this.options.maxRows) await this.#commit(state, run);
    }
    await this.#commit(state, run);
  }

  async #count(
    state: State,
    records: LogRecord[],
    context: Pick<BatchContext, "signal" | "done">,
  ): Promise<void> {
    const run = new Run(state);
    for (const record of records) {
      if (record.offset < state.nextOffset) continue;
      if (context.signal.aborted) break;
      await this.#take(state, run, record);
      if (run.batch.rows < this.options.maxRows) continue;
      await this.#commit(state, run);
      await context.done(record.offset);
    }
    await this.#commit(state, run);
    const last = records.at(-1)!;
    if (state.nextOffset > last.offset) return;
    if (state.nextOffset > records[0]!.offset) await context.done(state.nextOffset - 1);
    throw new Error("the partition was taken away");
  }

  async #take(state: State, run: Run, record: LogRecord): Promise<void> {
    const { pairing, marks } = state;
    marks.pass(record.offset, pairing.time);
    const sink = (observation: Observation) => run.batch.add(observation, pairing.time);
    pairing.advance(record.timestamp, sink);
    const facts = readFacts(record);
    if (facts instanceof PermanentError) await this.options.refuse(record, facts);
    else {
      for (const [index, fact] of facts.entries()) {
        pairing.add(fact, { offset: record.offset, index }, sink);
      }
    }
    state.nextOffset = record.offset + 1;
  }

  async #commit(state: State, run: Run): Promise<void> {
    if (state.nextOffset === run.from) return;
    const { db, log, metrics } = this.options;
    const { pairing, marks, nextOffset } = state;
    const gained = pairing.takeCounts();
    const to = {
      nextOffset,
      time: pairing.time,
      replay: marks.replayFrom(pairing.time),
      positions: encodePositions(pairing.waiting()),
      gained,
    };
    const deltas = [...run.batch.deltas.values()];
    const refused = await commit(db, this.partition, run.from, to, deltas);
    for (const { edge, error } of refused) {
      metrics.refusedEdges.inc();
      log.error("edge cannot be stored and is skipped", { kind: edge.kind, error });
    }
    metrics.committed(this.partition, pairing, gained, run.batch);
    run.begin(state);
  }
}

/** Records that are written down together. */
class Run {
  batch = new Batch();
  from: number;

  constructor({ nextOffset }: State) {
    this.from = nextOffset;
  }

  begin({ nextOffset }: State): void {
    this.batch = new Batch();
    this.from = nextOffset;
  }
}

/** Records of one read. */
const pageSize = 1_000;

/**
 * Remembers again what mattered at a checkpoint, by reading the log from where it says up to it and
 * counting nothing. The checkpoint names the facts that waited, so they wait again exactly; those that
 * the log keeps no longer count as expired.
 */
async function rebuild(
  events: EventLog,
  partition: number,
  checkpoint: Checkpoint,
  options: PairingOptions,
): Promise<Rebuilt> {
  const { replay, nextOffset } = checkpoint;
  const pairing = new SpanPairer(options, replay.time);
  const marks = new Marks(options.windowMs, replay);
  const waits = decodePositions(checkpoint.positions);
  let lost = 0;
  for (const indexes of waits.values()) lost += indexes.size;
  for await (const record of recordsOf(events, partition, replay.offset, nextOffset)) {
    marks.pass(record.offset, pairing.time);
    // What waited at the checkpoint does not expire before it.
    pairing.advance(record.timestamp, () => {});
    const facts = readFacts(record);
    if (facts instanceof PermanentError) continue;
    const waiting = waits.get(record.offset);
    for (const [index, fact] of facts.entries()) {
      const isWaiting = waiting?.has(index) ?? false;
      if (isWaiting) lost--;
      pairing.restore(fact, { offset: record.offset, index }, isWaiting);
    }
  }
  pairing.advance(checkpoint.time, () => {});
  if (lost > 0) pairing.lost(lost);
  return { pairing, marks };
}

/** Records of a partition with `from <= offset < to`, page by page. */
async function* recordsOf(
  events: EventLog,
  partition: number,
  from: number,
  to: number,
): AsyncGenerator<LogRecord> {
  for (let next = from; next < to;) {
    const records = await events.read(tracesSpans, { partition, from: next, to, limit: pageSize });
    const last = records.at(-1);
    if (!last) return;
    yield* records;
    next = last.offset + 1;
  }
}

/**
 * Offset of the first record that the log took after `time`, by halving; `to` when there is none. So
 * new records in a log that is shorter than before can be distinguished from counted ones.
 */
async function firstAfter(
  events: EventLog,
  partition: number,
  { from, to }: { from: number; to: number },
  time: number,
): Promise<number> {
  let found = to;
  for (let [low, high] = [from, to]; low < high;) {
    const middle = Math.floor((low + high) / 2);
    const range = { partition, from: middle, to: high, limit: 1 };
    const [record] = await events.read(tracesSpans, range);
    if (record && record.timestamp <= time) low = record.offset + 1;
    else {
      found = record?.offset ?? found;
      high = middle;
    }
  }
  return found;
}

/** The facts of a record, or why it cannot be read: a retry would fail in the same way. */
export function readFacts(record: LogRecord): SpanFact[] | PermanentError {
  try {
    return unpack(record);
  } catch (error) {
    if (error instanceof PermanentError) return error;
    return new PermanentError("invalid_record", messageOf(error), [], error);
  }
}
