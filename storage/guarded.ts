import { engineFailure, messageOf, unavailable } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { withTimeout } from "#kit/retry.ts";
import type { ObjectStorage } from "#storage/port.ts";

interface GuardOptions {
  log: Logger;
  metrics: Metrics;
  /** Milliseconds that one call may take. */
  timeoutMs?: number;
}

type Call = "put" | "get" | "delete";

/**
 * The same storage, in which each call ends in time, a failure becomes a 503 with `Retry-After`, and all is counted.
 * Logs when the storage fails, and when it works again.
 */
export function guarded(storage: ObjectStorage, options: GuardOptions): ObjectStorage {
  const { log, metrics, timeoutMs = 30_000 } = options;
  const calls = metrics.counter(
    "tributary_attachment_storage_calls_total",
    "Calls to the storage of attachments, by outcome",
    ["call", "outcome"],
  );
  const seconds = metrics.histogram(
    "tributary_attachment_storage_seconds",
    "Duration of calls to the storage of attachments",
    ["call"],
  );
  let failing = false;
  const during = async <T>(call: Call, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const late = () => new Error(`no answer within ${timeoutMs} ms`);
    let outcome = "failed";
    try {
      const result = await withTimeout(work, timeoutMs, late);
      outcome = result === null ? "missing" : "done";
      if (failing) log.info("attachment storage is back", { engine: storage.engine });
      failing = false;
      return result;
    } catch (error) {
      const said = messageOf(error);
      if (!failing) log.warn("attachment storage is failing", { call, error: said });
      failing = true;
      const cause = engineFailure(`storage of attachments (${storage.engine})`, error);
      throw unavailable("The storage of attachments is not available", 5, cause);
    } finally {
      calls.inc({ call, outcome });
      seconds.observe({ call }, (performance.now() - started) / 1_000);
    }
  };
  return {
    engine: storage.engine,
    put: (key, bytes) => during("put", storage.put(key, bytes)),
    get: (key) => during("get", storage.get(key)),
    delete: (key) => during("delete", storage.delete(key)),
  };
}
