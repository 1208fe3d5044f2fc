import { Ban, CircleCheck, CircleX, Clock, type LucideIcon, Merge, Pause } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

type State = Schema<"NotificationDeliveryState">;

const badges: Record<State, { text: PlainKey; tone: Tone; icon: LucideIcon; about: PlainKey }> = {
  PENDING: {
    text: "alerts.pending",
    tone: "info",
    icon: Clock,
    about: "alerts.aboutPending",
  },
  HELD: {
    text: "alerts.delayed",
    tone: "warn",
    icon: Pause,
    about: "alerts.aboutDelayed",
  },
  DELIVERED: {
    text: "alerts.delivered",
    tone: "good",
    icon: CircleCheck,
    about: "alerts.aboutDelivered",
  },
  FAILED: {
    text: "alerts.failed",
    tone: "bad",
    icon: CircleX,
    about: "alerts.aboutFailed",
  },
  SUPPRESSED: {
    text: "alerts.notSent",
    tone: "neutral",
    icon: Ban,
    about: "alerts.aboutNotSent",
  },
  MERGED: {
    text: "alerts.grouped",
    tone: "neutral",
    icon: Merge,
    about: "alerts.aboutGrouped",
  },
};
export const deliveryStates = Object.keys(badges) as State[];
export const deliveryStateOptions = () =>
  deliveryStates.map((state) => [state, t(badges[state].text)] as const);

/** What a state means. */
export function aboutState(state: State): string {
  return t(badges[state].about);
}

export function DeliveryStateBadge({ state }: { state: State }) {
  const { text, tone, icon: Icon } = badges[state];
  return <Badge tone={tone} icon={<Icon aria-hidden />}>{t(text)}</Badge>;
}
