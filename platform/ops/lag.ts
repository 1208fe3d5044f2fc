import {
  alertEvents,
  composedBatches,
  ingestionBatches,
  ingestionGroup,
  openlineageEvents,
  tracesSpans,
} from "#contract/topics.ts";
import type { EventLog, Lag } from "#eventlog/port.ts";

export interface GroupOfTopic {
  group: string;
  topic: string;
}

/** The consumer groups of this release. */
export const groups: GroupOfTopic[] = [
  { group: ingestionGroup, topic: ingestionBatches },
  { group: ingestionGroup, topic: composedBatches },
  { group: "notifier", topic: alertEvents },
  { group: "service-graph", topic: tracesSpans },
  { group: "openlineage", topic: openlineageEvents },
];

/** The lag of each group by partition, in the form that the commands print. */
export async function lagOf(
  events: EventLog,
  consumers: GroupOfTopic[],
): Promise<(GroupOfTopic & Lag)[]> {
  const rows = await Promise.all(consumers.map(async ({ group, topic }) => {
    const lags = await events.lag(group, topic);
    return lags.map((lag) => ({ group, topic, ...lag }));
  }));
  return rows.flat();
}
