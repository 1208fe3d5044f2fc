import {
  Archive,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleMinus,
  CircleSlash,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  PencilLine,
  Trash2,
  Unplug,
} from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { exactTime } from "#web/kit/time.tsx";
import { wordOptions, words } from "#web/kit/numbers.ts";
import { t } from "#web/messages/text.ts";

const statusStyles: Record<Schema<"DataEntityStatusEnum">, { tone: Tone; icon: typeof Archive }> = {
  UNASSIGNED: { tone: "neutral", icon: CircleDashed },
  DRAFT: { tone: "info", icon: PencilLine },
  STABLE: { tone: "good", icon: CircleCheck },
  DEPRECATED: { tone: "warn", icon: Archive },
  DELETED: { tone: "bad", icon: Trash2 },
};

/** The status of an entity, and when it changes by itself; nothing where nobody gave it one. */
export function StatusBadge({ status }: { status: Schema<"DataEntityStatus"> }) {
  if (status.status === "UNASSIGNED") return null;
  const { tone, icon: Icon } = statusStyles[status.status];
  const { status_switch_time: until } = status;
  const name = words(status.status);
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {until ? t("components.statusUntil", { status: name, time: exactTime(until) }) : name}
    </Badge>
  );
}

/** Shown for an entity that its source has not reported for a while. */
export function StaleBadge({ stale }: { stale: boolean }) {
  return stale
    ? <Badge tone="warn" icon={<Clock aria-hidden />}>{t("components.stale")}</Badge>
    : null;
}

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
export const runStatusOptions = () => wordOptions(runStatuses);

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const { tone, icon: Icon } = runStatusStyles[status];
  return <Badge tone={tone} icon={<Icon aria-hidden />}>{words(status)}</Badge>;
}
