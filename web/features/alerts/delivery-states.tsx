import { Ban, CircleCheck, CircleX, Clock, type LucideIcon, Merge, Pause } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";

type State = Schema<"NotificationDeliveryState">;

const badges: Record<State, { text: string; tone: Tone; icon: LucideIcon; about: string }> = {
  PENDING: { text: "On its way", tone: "info", icon: Clock, about: "It is sent when it is due" },
  HELD: {
    text: "Held",
    tone: "warn",
    icon: Pause,
    about: "It waits: something upstream fails too, or others are sent with it",
  },
  DELIVERED: { text: "Delivered", tone: "good", icon: CircleCheck, about: "The receiver took it" },
  FAILED: {
    text: "Failed",
    tone: "bad",
    icon: CircleX,
    about: "Given up; it can be sent again once the cause is mended",
  },
  SUPPRESSED: {
    text: "Not sent",
    tone: "neutral",
    icon: Ban,
    about: "A silence or a rule kept it back",
  },
  MERGED: { text: "Merged", tone: "neutral", icon: Merge, about: "Sent as a part of another" },
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
