import { newBatch } from "../ingest/items.ts";
import { opened, post } from "../ingest/post.ts";
import { percentile, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import type { Subject } from "../support/subject.ts";
import { bodiesOf, runsOf } from "./events.ts";
import { send } from "./sender.ts";
import { visible } from "./visible.ts";

export interface FloodSize {
  /** Jobs of a flood, each with a run of two events, in requests of so many events. */
  jobs: number;
  each: number;
  /** Batches that the collector posts without the flood, before each flood. */
  batches: number;
  rounds: number;
}

const source = "//bench/collector";
const batchSize = 20;

let batches = 0;

/**
 * How long a collector waits for its batches, one after the other: alone, and while a flood of new events is posted and
 * made visible, in turn.
 */
export async function flood(subject: Subject, size: FloodSize): Promise<Row[]> {
  await opened(subject, [source]);
  const times = { alone: [] as number[], beside: [] as number[] };
  for (let n = 0; n < size.batches; n++) await batch(subject); // to warm up
  for (let round = 0; round < size.rounds; round++) {
    for (let n = 0; n < size.batches; n++) times.alone.push(await batch(subject));
    const fixture = runsOf(`flood_${round}`, size.jobs);
    let over = false;
    const flooding = send(subject, bodiesOf(fixture.events, size.each))
      .then(() => visible(subject, fixture)).finally(() => over = true);
    do times.beside.push(await batch(subject)); while (!over);
    await flooding;
  }
  return [0.5, 0.95].map((share) => rowOf(subject, size, times, share));
}

function batch(subject: Subject): Promise<number> {
  const one = newBatch(source, `batch_${batches++}`, batchSize);
  return timed(() => post(subject, one));
}

function rowOf(
  { engines }: Subject,
  { jobs, each }: FloodSize,
  times: Record<"alone" | "beside", number[]>,
  share: number,
): Row {
  const at = (list: number[]) => percentile(list.toSorted((a, b) => a - b), share);
  const given = {
    bench: "openlineage",
    engines,
    case: `a collector's batch of ${batchSize} beside a flood, p${share * 100}`,
    unit: "ms",
    ours: at(times.beside),
    yardstick: at(times.alone),
    goal: "≤ 2 ×",
    note: `${times.beside.length} batches; floods of ${jobs * 2} events, ${each} a request`,
  };
  return row(given, (ratio) => ratio !== null && ratio <= 2);
}
