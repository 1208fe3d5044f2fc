import { newBatch } from "../ingest/items.ts";
import { opened, post } from "../ingest/post.ts";
import { percentile, timed } from "./measure.ts";
import { type Row, row } from "./report.ts";
import type { Subject } from "./subject.ts";

export interface FloodSize {
  /** Batches that the collector posts without the flood, before each flood. */
  batches: number;
  rounds: number;
}

const source = "//bench/collector";
const batchSize = 20;

let batches = 0;

/** What is posted while a collector waits. */
export interface Flood {
  bench: string;
  /** What one flood holds, in words. */
  what: string;
  /** Posts a new flood; resolves when all of it is visible. */
  post(round: number): Promise<unknown>;
}

/**
 * How long a collector waits for its batches, one after the other: alone, and while a flood is posted and made visible,
 * in turn.
 */
export async function besideFlood(
  subject: Subject,
  size: FloodSize,
  flood: Flood,
): Promise<Row[]> {
  await opened(subject, [source]);
  const times = { alone: [] as number[], beside: [] as number[] };
  for (let n = 0; n < size.batches; n++) await batch(subject); // to warm up
  for (let round = 0; round < size.rounds; round++) {
    for (let n = 0; n < size.batches; n++) times.alone.push(await batch(subject));
    let over = false;
    const flooding = flood.post(round).finally(() => over = true);
    do times.beside.push(await batch(subject)); while (!over);
    await flooding;
  }
  return [0.5, 0.95].map((share) => rowOf(subject, flood, times, share));
}

function batch(subject: Subject): Promise<number> {
  const one = newBatch(source, `batch_${batches++}`, batchSize);
  return timed(() => post(subject, one));
}

function rowOf(
  { engines }: Subject,
  { bench, what }: Flood,
  times: Record<"alone" | "beside", number[]>,
  share: number,
): Row {
  const at = (list: number[]) => percentile(list.toSorted((a, b) => a - b), share);
  const given = {
    bench,
    engines,
    case: `a collector's batch of ${batchSize} beside a flood, p${share * 100}`,
    unit: "ms",
    ours: at(times.beside),
    yardstick: at(times.alone),
    goal: "≤ 2 ×",
    note: `${times.beside.length} batches; floods of ${what}`,
  };
  return row(given, (ratio) => ratio !== null && ratio <= 2);
}
