import type kafkajs from "kafkajs";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";

/** Milliseconds within which the same message is logged only once. */
const quietMs = 30_000;
/** Most different messages that are remembered. */
const maxKnown = 200;

/**
 * Forwards the client's log entries. Each connection repeats its message at every retry, dozens of lines a
 * second while the brokers are away, so repetitions are only counted: the next line with that message says
 * how often.
 */
export function clientLog(log: Logger, clock: Clock): (entry: kafkajs.LogEntry) => void {
  const lastLogged = new Map<string, { at: number; unsaid: number }>();
  return ({ log: { message, error, broker, groupId } }) => {
    const logKey = [message, error, groupId].join("\n");
    const now = clock.now();
    const last = lastLogged.get(logKey);
    if (last && now - last.at < quietMs) {
      last.unsaid++;
      return;
    }
    if (lastLogged.size >= maxKnown) lastLogged.clear();
    lastLogged.set(logKey, { at: now, unsaid: 0 });
    const repeated = last?.unsaid || undefined;
    log.warn("Kafka client", {
      clientMessage: message,
      error,
      broker,
      groupId,
      repeated,
    });
  };
}
