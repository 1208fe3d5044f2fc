import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { useCan } from "#web/components/permissions.ts";

export type Summary = Schema<"OpsSummary">;

/** Milliseconds between two reads, wherever one is. */
const everyMs = 30_000;

/** Whether the instance works, for those who may see operations; undefined for all others, and until it is known. */
export function useOverallState(): Summary | undefined {
  const enabled = useCan()("OPERATIONS_VIEW");
  const { data } = useQuery({ ...read("/api/ops/summary"), enabled, refetchInterval: everyMs });
  return enabled ? data : undefined;
}

/** Number of errors among its problems. */
export function errorsOf({ problems }: Summary): number {
  return problems.filter(({ level }) => level === "ERROR").length;
}
