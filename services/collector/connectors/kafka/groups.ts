import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { type Finding, type Session, SourceError } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { type ClusterAdmin, isForbidden } from "./connect.ts";
import { groupCatrn, groupItem } from "./items.ts";

/** Groups that a program makes for one run of its own. */
const passing = /^console-consumer-\d+$/;

/** Names of consumer groups. Throws a `SourceError`. */
export async function listGroups(cluster: ClusterAdmin): Promise<string[]> {
  const { groups } = await cluster.call((admin) => admin.listGroups());
  const consumers = groups.filter(({ protocolType }) => ["", "consumer"].includes(protocolType));
  return [...new Set(consumers.map(({ groupId }) => groupId))].sort();
}

/** The items of the groups that have read any of these topics. One that fails costs itself only. */
export async function* groupFindings(
  { settings, source }: Session<KafkaSettings>,
  cluster: ClusterAdmin,
  topics: ReadonlySet<string>,
): AsyncGenerator<Finding> {
  let groups: string[] = [];
  try {
    groups = await listGroups(cluster);
  } catch (error) {
    if (!(error instanceof SourceError) || !isForbidden(error)) throw error;
    yield { kind: "problem", problem: { ...error.problem, object: "consumer groups" } };
  }
  const wanted = groups.filter((group) =>
    group !== "" && !passing.test(group) &&
    isIncluded(group, { include: [], exclude: settings.exclude })
  );
  for (const group of wanted) {
    try {
      const read = (await topicsOf(cluster, group)).filter((topic) => topics.has(topic));
      if (read.length > 0) yield { kind: "item", item: groupItem(source, group, read) };
    } catch (error) {
      if (!(error instanceof SourceError) || !isForbidden(error)) throw error;
      const { reason, remedy } = error;
      const problem = { object: `consumer group ${group}`, reason, remedy };
      yield { kind: "problem", problem, catrn: groupCatrn(source, group) };
    }
  }
}

/** Topics of which a group has committed an offset. */
async function topicsOf(cluster: ClusterAdmin, groupId: string): Promise<string[]> {
  const offsets = await cluster.call((admin) => admin.fetchOffsets({ groupId }));
  return offsets.filter(({ partitions }) => partitions.some(({ offset }) => Number(offset) >= 0))
    .map(({ topic }) => topic);
}
