import { tracesSpans } from "#contract/topics.ts";
import type { SpanFact } from "#contract/traces.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";
import { type PairingOptions, SpanPairer } from "./pairing.ts";
import { decodePositions } from "./positions.ts";
import { type Checkpoint, Marks } from "./store.ts";
import { unpack } from "../facts/unpack.ts";

/** Records of one read. */
const page = 1_000;

export interface Rebuilt {
  pairing: SpanPairer;
  marks: Marks;
}

/**
 * Remembers again what mattered at a checkpoint, by reading the log from where it says up to it and
 * counting nothing. The checkpoint names the facts that waited, so they wait again exactly; those that
 * the log keeps no longer count as expired.
 */
export async function rebuild(
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
    const facts = read(record);
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
export async function* recordsOf(
  events: EventLog,
  partition: number,
  from: number,
  to: number,
): AsyncGenerator<LogRecord> {
  for (let next = from; next < to;) {
    const records = await events.read(tracesSpans, { partition, from: next, to, limit: page });
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
export async function firstAfter(
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
export function read(record: LogRecord): SpanFact[] | PermanentError {
  try {
    return unpack(record);
  } catch (error) {
    if (error instanceof PermanentError) return error;
    return new PermanentError("invalid_record", messageOf(error), [], error);
  }
}
