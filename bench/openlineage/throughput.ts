import { percentile } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import type { Subject } from "../support/subject.ts";
import { bodiesOf, runsOf } from "./events.ts";
import { send } from "./sender.ts";
import { composed, merged, mergedEvents, visible } from "./visible.ts";
import type { Yardsticks } from "./yardsticks.ts";

export interface ThroughputSize {
  /** Jobs of a round, each with a run of two events. */
  jobs: number;
  rounds: number;
  /** Events of a request. */
  each: number;
}

const sharedNote = "all of Tributary and its database share the cores with the sender";

let rounds = 0;

/** Milliseconds of one round; each begins with the first request. */
interface Times {
  accepted: number;
  visible: number;
  /** New runs of known jobs, until they are visible. */
  runs: number;
  /** The same events once more, until they are merged. */
  again: number;
  /** The yardsticks: bare production, and the state of new events written by hand. */
  produced: number;
  written: number;
}

/** Events a second of new names, of new runs of known jobs, and of repeats, beside what they cost bare. */
export async function throughput(
  subject: Subject,
  yardsticks: Yardsticks,
  size: ThroughputSize,
): Promise<Row[]> {
  const taken: Times[] = [];
  for (let n = -1; n < size.rounds; n++) {
    const jobs = n < 0 ? Math.min(size.jobs, 50) : size.jobs;
    const times = await round(subject, yardsticks, { ...size, jobs });
    if (n >= 0) taken.push(times); // the first warms up
  }
  await yardsticks.requireSameRows(subject);
  const rate = (name: keyof Times) => {
    const sorted = taken.map((times) => times[name]).sort((a, b) => a - b);
    return (size.jobs * 2 * 1_000) / percentile(sorted, 0.5);
  };
  return rowsOf(subject, size.each, rate);
}

async function round(
  subject: Subject,
  yardsticks: Yardsticks,
  { jobs, each }: ThroughputSize,
): Promise<Times> {
  const namespace = `round_${rounds++}`;
  const [fresh, more] = [runsOf(namespace, jobs), runsOf(namespace, jobs)];
  const bodies = bodiesOf(fresh.events, each);
  const produced = await yardsticks.produce(fresh.events, each);
  const written = await yardsticks.write(yardsticks.rowsOf(fresh.events));
  await yardsticks.write(yardsticks.rowsOf(more.events));
  let begun = performance.now();
  const since = () => performance.now() - begun;
  await send(subject, bodies);
  const accepted = since();
  await visible(subject, fresh);
  const seen = since();
  begun = performance.now();
  await send(subject, bodiesOf(more.events, each));
  await visible(subject, more);
  const runs = since();
  await composed(subject);
  const before = await mergedEvents(subject);
  begun = performance.now();
  await send(subject, bodies);
  await merged(subject, before + fresh.events.length);
  return { accepted, visible: seen, runs, again: since(), produced, written };
}

function rowsOf({ engines }: Subject, each: number, rate: (name: keyof Times) => number): Row[] {
  const form = each === 1 ? "an event a request" : `${each} events a request`;
  const given = { bench: "openlineage", engines, unit: "events/s" };
  const goalOf = (min: number) => ({
    goal: `≥ ${min.toLocaleString("en")}/s`,
    meetsGoal: (_: number | null, ours: number) => ours >= min,
  });
  const of = (
    name: string,
    ours: keyof Times,
    yardstick: keyof Times,
    { goal, meetsGoal }: Partial<ReturnType<typeof goalOf>> = {},
  ) =>
    row({
      ...given,
      case: `${form}, ${name}`,
      ours: rate(ours),
      yardstick: rate(yardstick),
      goal: goal ?? "",
      note: ours === "accepted" ? sharedNote : undefined,
    }, meetsGoal);
  return [
    of("accepted, beside bare production", "accepted", "produced", goalOf(1_500)),
    of("new, visible, beside the state written by hand", "visible", "written", goalOf(300)),
    of("new runs of known jobs, visible", "runs", "written"),
    of("unchanged, merged once more", "again", "written", goalOf(900)),
  ];
}
