import type kafkajs from "kafkajs";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";

/** Milliseconds within which the same message is logged once. */
const quietMs = 30_000;
/** Different messages that are remembered. */
const maxKnown = 200;

/**
 * Passes on what the client complains of. Each of its connections does so at every try, dozens of
 * lines a second while the brokers are away, so what was just said is only counted: the next line
 * about it tells how often.
 */
export function clientLog(log: Logger, clock: Clock): (entry: kafkajs.LogEntry) => void {
  const told = new Map<string, { at: number; unsaid: number }>();
  return ({ log: { message, error, broker, groupId } }) => {
    const complaint = [message, error, groupId].join("\n");
    const now = clock.now();
    const last = told.get(complaint);
    if (last && now - last.at < quietMs) {
      last.unsaid++;
      return;
    }
    if (told.size >= maxKnown) told.clear();
    told.set(complaint, { at: now, unsaid: 0 });
    const repeated = last?.unsaid || undefined;
    log.warn("the Kafka client complains", {
      complaint: message,
      error,
      broker,
      groupId,
      repeated,
    });
  };
}
