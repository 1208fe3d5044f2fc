import { AlertEventRecord } from "#contract/alerts.ts";
import { alertEventHeaders, alertEventVersion } from "#contract/topics.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The change in a record, or why there is none. */
export function decode({ headers, value }: LogRecord): AlertEventRecord | PermanentError {
  const version = headers[alertEventHeaders.version];
  if (version !== undefined && version !== alertEventVersion) {
    return new PermanentError("unknown_version", `version ${version.slice(0, 40)} is not known`);
  }
  const body = json(value);
  if (body instanceof PermanentError) return body;
  const parsed = AlertEventRecord.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join("."),
    message,
  }));
  return new PermanentError("invalid_alert_event", "the change cannot be read", details);
}

function json(value: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(value));
  } catch (error) {
    return new PermanentError("invalid_json", `not JSON in UTF-8: ${messageOf(error)}`, [], error);
  }
}
