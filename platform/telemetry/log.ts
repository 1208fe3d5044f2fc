import { trace } from "@opentelemetry/api";
import type { LogFields, Logger } from "#kit/log.ts";
import { masked } from "#platform/secrets.ts";
import { bounded } from "#kit/text.ts";

type LogLevel = "debug" | "info" | "warn" | "error";
const ranks: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface LogOptions {
  level: LogLevel;
  /** `json`: one object a line. `text`: for people at a terminal. */
  format: "json" | "text";
  /** Receives one finished line. */
  write: (line: string) => void;
}

/** A logger whose lines contain the time, the active trace and the fields given to `with`. */
export function createLogger(options: LogOptions, fields: LogFields = {}): Logger {
  const emit = (level: LogLevel) => (message: string, more: LogFields = {}) => {
    if (ranks[level] < ranks[options.level]) return;
    const line = { ...traceFields(), ...fields, ...more };
    options.write(
      options.format === "json" ? asJson(level, message, line) : asText(level, message, line),
    );
  };
  return {
    debug: emit("debug"),
    info: emit("info"),
    warn: emit("warn"),
    error: emit("error"),
    with: (more) => createLogger(options, { ...fields, ...more }),
  };
}

function traceFields(): LogFields {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

function asJson(level: LogLevel, message: string, fields: LogFields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...plain(fields) });
}

function asText(level: LogLevel, message: string, fields: LogFields): string {
  const time = new Date().toISOString().slice(11, 23);
  const rest = Object.entries(plain(fields)).map(([name, value]) =>
    `${name}=${typeof value === "string" && isOneLine(value) ? value : JSON.stringify(value)}`
  );
  return [time, level.toUpperCase().padEnd(5), message, ...rest].join(" ");
}

/** A text with line breaks could forge log lines. */
const isOneLine = (text: string) => !/\p{Cc}/u.test(text);

function plain(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, visible(value)]));
}

/** Shows errors with message, stack and causes; everything is shortened, secrets are masked. */
function visible(value: unknown): unknown {
  if (typeof value === "string") return mask(value);
  if (value instanceof Error) return visibleError(value);
  if (typeof value === "bigint") return String(value);
  return typeof value === "object" && value !== null ? visibleObject(value) : value;
}

function visibleError(error: Error): LogFields {
  const causes: string[] = [];
  for (let at = error.cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    causes.push(mask(`${at.name}: ${at.message}`));
  }
  const stack = mask(error.stack ?? String(error)).split("\n").slice(0, 8).join("\n");
  return { message: mask(error.message), ...(causes.length > 0 ? { causes } : {}), stack };
}

function visibleObject(value: object): unknown {
  try {
    const text = JSON.stringify(value);
    const masked = mask(text);
    return masked === text ? value : masked;
  } catch {
    return "[not JSON]";
  }
}

/** Longest text in a line, and how much of a longer text is examined, UTF-16 units. */
const longest = 8_000;
const maxScanned = 64_000;

/** Masks secrets and cuts a long text. */
function mask(text: string): string {
  return bounded(masked(text.slice(0, maxScanned)), longest);
}
