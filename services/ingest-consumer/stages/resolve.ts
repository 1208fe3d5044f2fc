import { PermanentError } from "#kit/errors.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { ensureEntities } from "#metadata/catalogue/hollow-entities.ts";
import { referencesOf } from "../edges.ts";
import { heldEntities } from "../held.ts";
import type { DraftedPart, EntityDraft, ResolvedPart } from "../part.ts";
import { run } from "../statement.ts";
import { judge } from "./diff.ts";
import { sharedNames } from "./names.ts";
import * as sql from "./resolve.queries.ts";

/**
 * Stage 5: finds or creates an id for every name. Each is created in a short transaction, in one
 * order, so that no long transaction locks rows that all batches share. Null when the part was
 * applied before. Throws `PermanentError` for an unknown data source.
 */
export async function resolve(part: DraftedPart, db: Database): Promise<ResolvedPart | null> {
  const { identity, sourceCatrn } = part;
  const asked = [sourceCatrn, identity.batch, identity.part];
  const [standing] = await run<Standing>(db, sql.standing, asked);
  if (standing!.outcome === "applied") return null;
  if (standing!.source_id === null) {
    throw new PermanentError(
      "unknown_data_source",
      `The data source ${sourceCatrn} is not known; register it first`,
      [{ field: "data_source_catrn", message: "is not a registered data source" }],
    );
  }
  const { troubled } = standing!;
  const sourceId = standing!.source_id;
  const expected = await expect(part, sourceId, db);
  const written = [...expected.fresh, ...expected.changed.map(({ draft }) => draft)];
  const references = referencesOfAll(part, written);
  await ensureHollow(references, written, db);
  const names = await sharedNames(written, db);
  return { ...part, sourceId, troubled, expected, references, ...names };
}

interface Standing {
  source_id: number | null;
  troubled: boolean;
  outcome: string | null;
}

/** What the part would write, judged without locks. */
async function expect(part: DraftedPart, sourceId: number, db: Database) {
  const held = await heldEntities(db, sql.held, [part.entities.map((entity) => entity.catrn)]);
  const fresh: EntityDraft[] = [];
  const changed: ResolvedPart["expected"]["changed"] = [];
  for (const draft of part.entities) {
    const row = held.get(draft.catrn);
    const verdict = judge(draft, row, { identity: part.identity, sourceId });
    if (!row) fresh.push(draft);
    else if (verdict === "new" || verdict === "changed") changed.push({ id: row.id, draft });
  }
  return { fresh, changed };
}

function referencesOfAll(part: DraftedPart, written: EntityDraft[]): string[] {
  const found = new Set(part.runs.map((run) => run.taskCatrn));
  for (const { item } of written) for (const catrn of referencesOf(item)) found.add(catrn);
  return [...found];
}

async function ensureHollow(references: string[], written: EntityDraft[], db: Database) {
  const own = new Set(written.map((draft) => draft.catrn));
  const others = references.filter((catrn) => !own.has(catrn));
  await ensureEntities(db, others);
}
