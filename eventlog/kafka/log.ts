import type { EventLog } from "#eventlog/port.ts";
export function kafkaEventLog(_: unknown): EventLog {
  throw new Error("soon");
}
