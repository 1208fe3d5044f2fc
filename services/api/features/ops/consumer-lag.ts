import type { Lag } from "#eventlog/port.ts";
import type { ProbeResult } from "#platform/ops/cached-probe.ts";
import type { GroupOfTopic } from "#platform/ops/lag.ts";
import { type PartState, partState } from "#services/api/features/ops/part-state.ts";

/** OpsConsumerLag. */
export interface ConsumerLag extends GroupOfTopic, PartState {
  lag: number | null;
  partitions: Lag[];
}

/** A consumer's lag as the screen shows it; null where it is not known. */
export function lagShown({ group, topic }: GroupOfTopic, seen: ProbeResult<Lag[]>): ConsumerLag {
  const common = { group, topic, ...partState(seen) };
  if (!seen.known) return { ...common, lag: null, partitions: [] };
  const partitions = seen.value.map(({ partition, committed, end, lag }) => ({
    partition,
    committed,
    end,
    lag,
  }));
  const lag = partitions.reduce((sum, each) => sum + each.lag, 0);
  return { ...common, lag, partitions };
}
