import type { LogFields, Logger } from "#kit/log.ts";

export interface RecordedLine {
  level: "debug" | "info" | "warn" | "error";
  message: string;
  fields: LogFields;
}

/** A logger that keeps its lines. */
export function recordingLogger(): { log: Logger; lines: RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const note = (level: RecordedLine["level"], always: LogFields) =>
  (
    message: string,
    fields: LogFields = {},
  ) => void lines.push({ level, message, fields: { ...always, ...fields } });
  const logger = (always: LogFields): Logger => ({
    debug: note("debug", always),
    info: note("info", always),
    warn: note("warn", always),
    error: note("error", always),
    with: (more) => logger({ ...always, ...more }),
  });
  return { log: logger({}), lines };
}
