import {
  Bell,
  CircleCheck,
  CircleDot,
  Cpu,
  FlaskConical,
  type LucideIcon,
  PlugZap,
  Table2,
  TrendingUp,
  Workflow,
} from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { wordOptions, words } from "#web/kit/numbers.ts";

export type AlertStatus = Schema<"AlertStatus">;

/** Icons of types; a type without one has a bell. */
const icons: Partial<Record<AlertType, LucideIcon>> = {
  FAILED_DQ_TEST: FlaskConical,
  FAILED_JOB: Workflow,
  BACKWARDS_INCOMPATIBLE_SCHEMA: Table2,
  DISTRIBUTION_ANOMALY: TrendingUp,
  DATA_SOURCE_CONNECTION_ERROR: PlugZap,
  AGENT_ERROR: Cpu,
};

export function AlertTypeBadge({ type }: { type: AlertType }) {
  const Icon = icons[type] ?? Bell;
  return <Badge icon={<Icon aria-hidden />}>{alertTypeText(type)}</Badge>;
}

export const alertStatuses = ["OPEN", "RESOLVED", "RESOLVED_AUTOMATICALLY"] as const;
export const alertStatusOptions = () => wordOptions(alertStatuses);

export function AlertStatusBadge({ status }: { status: AlertStatus }) {
  return status === "OPEN"
    ? <Badge tone="bad" icon={<CircleDot aria-hidden />}>{words(status)}</Badge>
    : <Badge tone="good" icon={<CircleCheck aria-hidden />}>{words(status)}</Badge>;
}

export type AlertType = Schema<"AlertType">;

/** What people call a type of alerts. */
export function alertTypeText(type: AlertType): string {
  return words(type);
}
