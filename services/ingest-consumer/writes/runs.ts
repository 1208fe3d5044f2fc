import type { Row, Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import type { RunDraft, WriteOutcome } from "../chunk.ts";
import { bigint, columns, run, text } from "../statement.ts";
import { metadataEntries } from "../values.ts";
import { receivedAt } from "./entities.ts";
import * as sql from "./runs.queries.ts";

/** Most metadata values of a run that are stored, and how much of each, in characters. */
export const maxRunMetadata = { values: 100, characters: 10_000 };

interface RunWriteResult {
  outcome: WriteOutcome;
  runs: number;
  /** CATRNs of the runs with a new outcome; null when there are none. */
  turned: string[] | null;
}

/** Stores the newest posting of each run, by CATRN; signals those with a new outcome. */
export async function writeRuns(tx: Transaction, set: ChangeSet): Promise<void> {
  const { runs, identity } = set;
  if (runs.length === 0) return;
  const rows = await run<RunWriteResult & Row>(tx, sql.upsert, [
    receivedAt(identity),
    identity.batch,
    ...columns(
      runs,
      text((r) => r.catrn),
      bigint((r) => set.idOf(r.taskCatrn)),
      text((r) => r.kind),
      text((r) => r.item.name),
      text((r) => r.run.start_time),
      text((r) => r.run.end_time),
      text((r) => r.run.status),
      text((r) => r.run.status_reason),
      text((r) => r.hash),
      text((r) => metadataOf(r.item)),
    ),
  ]);
  set.counts.stale += runs.length;
  for (const { outcome, runs: count } of rows) {
    set.counts[outcome] += count;
    set.counts.stale -= count;
  }
  const turned = new Set(rows.flatMap((row) => row.turned ?? []));
  set.signals.runs = runs.filter((r) => turned.has(r.catrn));
}

/** The metadata of a run by name, as JSON text: runs are many, so what is stored of each is bounded. */
function metadataOf({ metadata }: RunDraft["item"]): string | null {
  const entries = metadataEntries(metadata).slice(0, maxRunMetadata.values);
  if (entries.length === 0) return null;
  const retained = entries.map(({ name, text }) =>
    [name, text.slice(0, maxRunMetadata.characters).toWellFormed()] as const
  );
  return JSON.stringify(Object.fromEntries(retained));
}
