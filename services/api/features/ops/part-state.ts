import type { ProbeResult } from "#platform/ops/cached-probe.ts";

/** OpsPartState, and why it is unknown. */
export interface PartState {
  state: "known" | "unknown";
  cause: string | null;
}

/** Whether a part is known. */
export function partState(seen: ProbeResult<unknown>): PartState {
  return seen.known ? { state: "known", cause: null } : { state: "unknown", cause: seen.cause };
}
