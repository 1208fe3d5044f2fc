import { createHash } from "node:crypto";
import { canonical } from "#kit/canonical.ts";
import { type CollectorDeps, transactionUnderLease } from "../deps.ts";
import type { ClaimedRun } from "../runs.queries.ts";
import * as queries from "./items.queries.ts";
import type { PublishingOptions } from "./sink.ts";

/** Assets that are released in one transaction. */
const together = 500;

/** Settings that say what of a source is read. */
const selecting = ["include", "exclude", "paths"];

/** A digest of what a connection selects of its source. */
export function selectionOf(settings: unknown): string {
  const given = new Map(Object.entries(settings as Record<string, unknown>));
  const selection = selecting.map((name) => given.get(name) ?? null);
  return createHash("sha256").update(canonical(selection)).digest("hex").slice(0, 16);
}

/** Whether a connection selects something else than in its last run; false when that is not known. */
export async function hasOtherSelection(
  { db }: Pick<CollectorDeps, "db">,
  run: Pick<ClaimedRun, "id" | "connection_id" | "settings">,
): Promise<boolean> {
  const [before] = await db.query(queries.lastSelection, [run.connection_id, run.id]);
  return before !== undefined && before.selection !== selectionOf(run.settings);
}

/**
 * No longer maintains what a complete read with other patterns did not find: the source may still have it, so it stays in
 * the catalogue as it is, and the run names it.
 */
export async function releaseUnselected(
  options: PublishingOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let released = together; released === together && !signal.aborted;) {
    released = await releaseSome(options);
  }
}

async function releaseSome({ deps, run, lease, report }: PublishingOptions): Promise<number> {
  const rows = await transactionUnderLease(
    deps,
    lease,
    (tx) => tx.query(queries.release, [run.connection_id, run.id, run.source_catrn, together]),
  );
  for (const { catrn } of rows.filter(({ isLive }) => isLive)) {
    report.problem({
      object: catrn,
      reason: "it is no longer selected, so this connection no longer maintains it",
      remedy: "Delete it in the catalogue if it is not wanted, or include it again",
    });
  }
  return rows.length;
}
