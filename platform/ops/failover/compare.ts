import { retry } from "#kit/retry.ts";
import { decodeMark } from "#metadata/postgres/history/compare.ts";
import { compareLog } from "#platform/ops/failover/log.ts";
import type { Context } from "#platform/context.ts";
import { groups } from "#platform/ops/lag.ts";

/** Milliseconds between two attempts to read what the event log knows. */
const retryMs = 1_000;

/**
 * Compares PostgreSQL with the commits that consumers noted in an event log outside of it, and that log with the positions that
 * PostgreSQL noted, so that a process that starts after a failover refuses the one that is older. To be called before
 * anything is served.
 */
export async function compareWithLog(
  { events, db, log, clock }: Pick<Context, "events" | "db" | "log" | "clock">,
): Promise<void> {
  const { guard } = db;
  if (!events.notes || !guard) return;
  const read = () => Promise.all(groups.map(({ group, topic }) => events.notes!(group, topic)));
  const found = await retry(read, {
    attempts: 30,
    initial: retryMs,
    max: retryMs,
    retryable: () => true,
    onRetry: (error) => log.warn("waiting for the event log", { error }),
  });
  guard.recall(found.flat().map(decodeMark).filter((mark) => mark !== undefined));
  await compareLog({ db, events, clock }).catch((error) => {
    // PostgreSQL is refused or away; the log is compared as soon as it is back.
    log.warn("event log could not be compared with PostgreSQL", { error });
  });
}
