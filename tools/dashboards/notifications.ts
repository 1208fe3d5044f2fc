import { countOf, type Dashboard, gaugeOf, timesOf } from "./panel.ts";

/** From the change of an alert to its messages, and discussions in chat. Without notifications nothing waits, and nothing is stored. */
export const notificationsDashboard: Dashboard = {
  uid: "tributary-notifications",
  title: "Tributary: alerts and notifications",
  panels: [
    gaugeOf("State of the slot reader", "tributary_notifier_reader_state", { labels: "state" }),
    countOf(
      "Changes of alerts by what became of them",
      "tributary_notifier_changes_total",
      "outcome",
    ),
    countOf(
      "Changes put into the event log",
      "tributary_notifier_events_published_total",
      "source",
    ),
    gaugeOf(
      "Last change put into the event log",
      "tributary_notifier_last_published_event_timestamp_seconds * 1000",
      {
        unit: "dateTimeAsIso",
      },
    ),
    countOf(
      "Changes that cannot be announced",
      "tributary_notifier_events_quarantined_total",
      "reason",
    ),
    countOf(
      "Runs of the slot reader that ended",
      "tributary_notifier_reader_reconnects_total",
      "state",
    ),
    gaugeOf("Log behind the notifier", "tributary_notifier_slot_lag_bytes", { unit: "bytes" }),
    gaugeOf("WAL retained for the notifier", "tributary_notifier_slot_retained_bytes", {
      unit: "bytes",
    }),
    gaugeOf("What PostgreSQL says of that log", "tributary_notifier_slot_wal_status", {
      labels: "status",
    }),
    countOf(
      "Announcements by channel and end",
      "tributary_notifier_deliveries_total",
      "channel, outcome",
    ),
    countOf("Attempts by end", "tributary_notifier_attempts_total", "channel, outcome"),
    timesOf("Time of an attempt", "tributary_notifier_attempt_seconds", "channel"),
    gaugeOf("Announcements that wait", "tributary_notifier_pending_deliveries", {
      labels: "channel",
    }),
    gaugeOf("Age of the oldest that waits", "tributary_notifier_oldest_pending_seconds", {
      labels: "channel",
      unit: "s",
    }),
    gaugeOf("Channels that are paused", "tributary_notifier_channel_paused", { labels: "channel" }),
    gaugeOf("Cached message texts", "tributary_notifier_held_messages"),
    gaugeOf("Messages about entities that wait", "tributary_messages_pending"),
    gaugeOf("Age of the oldest of them", "tributary_messages_oldest_pending_seconds", {
      unit: "s",
    }),
    gaugeOf("Messages that failed", "tributary_messages_unsent"),
    countOf("Attempts to send them", "tributary_messages_attempts_total", "outcome"),
    countOf("Replies and changes from chat", "tributary_chat_events_total", "outcome"),
    gaugeOf("Replies that wait", "tributary_chat_events_pending"),
    gaugeOf("Replies that could not be taken in", "tributary_chat_events_unprocessed"),
    countOf("Calls of the chat provider", "tributary_chat_calls_total", "method, outcome"),
    timesOf("Time of a call of the chat provider", "tributary_chat_call_seconds"),
  ],
};
