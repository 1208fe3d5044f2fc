import { ingestionDeadLetters, openlineageDeadLetters } from "#contract/topics.ts";
import { isProjected } from "#graph/port.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Context } from "#platform/context.ts";
import { readHead } from "#platform/ops/edges.queries.ts";
import { type GroupOfTopic, groups } from "#platform/ops/lag.ts";

type Deps = Pick<Context, "db" | "events" | "graph">;

/** Milliseconds within which an engine has to answer; what it does not tell is a gap. */
const timeoutMs = 10_000;

/** Series of the lag of a consumer, in records, and of the records that it has done since the topic was created. */
export const lagSeries = ({ group, topic }: GroupOfTopic) => `lag/${group}/${topic}`;
export const doneSeries = ({ group, topic }: GroupOfTopic) => `done/${group}/${topic}`;
/** Series of the changes of lineage that the graph still lacks. */
export const projectionSeries = "lag/projection";
/** Series of the dead letters that were ever stored. */
export const deadLetterSeries = "dead-letters";

/** What the instance measures of itself now, by series; parts that cannot be read are missing, with `failed` saying why. */
export async function takeSamples(
  deps: Deps,
): Promise<{ samples: Map<string, number>; failed: unknown[] }> {
  const parts = [
    ...groups.map((group) => () => consumerSamples(deps, group)),
    () => deadLetterSamples(deps),
    () => projectionSamples(deps),
  ];
  const late = () => new Error(`no answer within ${timeoutMs / 1_000} s`);
  const taken = await Promise.allSettled(
    parts.map((part) => withTimeout(part(), timeoutMs, late)),
  );
  return {
    samples: new Map(taken.flatMap((one) => one.status === "fulfilled" ? one.value : [])),
    failed: taken.flatMap((one) => one.status === "rejected" ? [one.reason] : []),
  };
}

type Samples = [series: string, value: number][];

async function consumerSamples({ events }: Deps, consumer: GroupOfTopic): Promise<Samples> {
  const partitions = await events.lag(consumer.group, consumer.topic);
  const sum = (of: "lag" | "committed") => partitions.reduce((all, one) => all + one[of], 0);
  return [[lagSeries(consumer), sum("lag")], [doneSeries(consumer), sum("committed")]];
}

async function deadLetterSamples({ events }: Deps): Promise<Samples> {
  const bounds = await Promise.all(
    [ingestionDeadLetters, openlineageDeadLetters].map((topic) => events.bounds(topic)),
  );
  return [[deadLetterSeries, bounds.flat().reduce((all, { end }) => all + end, 0)]];
}

/** Of a graph that is the metadata itself there is nothing to measure. */
async function projectionSamples({ db, graph }: Deps): Promise<Samples> {
  if (!isProjected(graph)) return [];
  const [head, position] = await Promise.all([readHead(db), graph.position(timeoutMs)]);
  return [[projectionSeries, Math.max(0, head - position)]];
}
