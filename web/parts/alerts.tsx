import {
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

export type AlertType = Schema<"AlertType">;
export type AlertStatus = Schema<"AlertStatus">;

const types: Record<AlertType, { text: string; icon: LucideIcon }> = {
  FAILED_DQ_TEST: { text: "Failed test", icon: FlaskConical },
  FAILED_JOB: { text: "Failed job", icon: Workflow },
  BACKWARDS_INCOMPATIBLE_SCHEMA: { text: "Breaking schema change", icon: Table2 },
  DISTRIBUTION_ANOMALY: { text: "Distribution anomaly", icon: TrendingUp },
  DATA_SOURCE_CONNECTION_ERROR: { text: "Source not reached", icon: PlugZap },
  AGENT_ERROR: { text: "Agent error", icon: Cpu },
};
export const alertTypes = Object.keys(types) as AlertType[];

/** What people call a type of alerts. */
export function alertTypeText(type: AlertType): string {
  return types[type].text;
}

/** Values and texts for a choice of types. */
export const alertTypeOptions = alertTypes.map((type) => [type, types[type].text] as const);

export function AlertTypeBadge({ type }: { type: AlertType }) {
  const { text, icon: Icon } = types[type];
  return <Badge icon={<Icon aria-hidden />}>{text}</Badge>;
}

export const alertStatuses = ["OPEN", "RESOLVED", "RESOLVED_AUTOMATICALLY"] as const;
const statusTexts: Record<AlertStatus, string> = {
  OPEN: "Open",
  RESOLVED: "Resolved",
  RESOLVED_AUTOMATICALLY: "Resolved by itself",
};
export const alertStatusOptions = alertStatuses.map((status) =>
  [status, statusTexts[status]] as const
);

export function AlertStatusBadge({ status }: { status: AlertStatus }) {
  return status === "OPEN"
    ? <Badge tone="bad" icon={<CircleDot aria-hidden />}>Open</Badge>
    : <Badge tone="good" icon={<CircleCheck aria-hidden />}>{statusTexts[status]}</Badge>;
}
