import { Ban, CircleCheck, CircleX, Clock, type LucideIcon, Merge, Pause } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";

type State = Schema<"NotificationDeliveryState">;

const badges: Record<State, { text: string; tone: Tone; icon: LucideIcon; about: string }> = {
  PENDING: { text: "Pending", tone: "info", icon: Clock, about: "Waiting to be sent" },
  HELD: {
    text: "Delayed",
    tone: "warn",
    icon: Pause,
    about: "Delayed because something upstream fails too, or to be grouped with others",
  },
  DELIVERED: {
    text: "Delivered",
    tone: "good",
    icon: CircleCheck,
    about: "The receiver accepted it",
  },
  FAILED: {
    text: "Failed",
    tone: "bad",
    icon: CircleX,
    about: "All attempts failed. Fix the cause, then send it again",
  },
  SUPPRESSED: {
    text: "Not sent",
    tone: "neutral",
    icon: Ban,
    about: "A silence or a rule suppressed it",
  },
  MERGED: {
    text: "Grouped",
    tone: "neutral",
    icon: Merge,
    about: "Sent as part of another notification",
  },
};
export const deliveryStates = Object.keys(badges) as State[];
export const deliveryStateOptions = deliveryStates.map((state) =>
  [state, badges[state].text] as const
);
export const channels = ["chat", "webhook", "email"] as const;

/** What a state means. */
export function aboutState(state: State): string {
  return badges[state].about;
}

export function DeliveryStateBadge({ state }: { state: State }) {
  const { text, tone, icon: Icon } = badges[state];
  return <Badge tone={tone} icon={<Icon aria-hidden />}>{text}</Badge>;
}
