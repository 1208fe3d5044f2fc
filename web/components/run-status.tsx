import {
  CircleCheck,
  CircleHelp,
  CircleMinus,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  Unplug,
} from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";

export type RunStatus = Schema<"DataEntityRunStatus">;

/** How a run, or a test by its last run, looks: the worst first. */
export const runStatusStyles: Record<RunStatus, { tone: Tone; icon: LucideIcon }> = {
  FAILED: { tone: "bad", icon: CircleX },
  BROKEN: { tone: "warn", icon: Unplug },
  ABORTED: { tone: "warn", icon: CircleSlash },
  UNKNOWN: { tone: "neutral", icon: CircleHelp },
  SKIPPED: { tone: "neutral", icon: CircleMinus },
  RUNNING: { tone: "info", icon: LoaderCircle },
  SUCCESS: { tone: "good", icon: CircleCheck },
};
export const runStatuses = Object.keys(runStatusStyles) as RunStatus[];
export const runStatusOptions = () => runStatuses.map((status) => [status, words(status)] as const);

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const { tone, icon: Icon } = runStatusStyles[status];
  return <Badge tone={tone} icon={<Icon aria-hidden />}>{words(status)}</Badge>;
}
