import { PermanentError } from "#kit/errors.ts";
import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { ensureEntities } from "#metadata/catalogue/hollow-entities.ts";
import { referencesOf } from "../edges.ts";
import { heldEntities } from "../held.ts";
import type { DraftedPart, EntityDraft, HeldEntity, ResolvedPart } from "../part.ts";
import { run } from "../statement.ts";
import { judge, type Posting } from "./diff.ts";
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
  const held = await heldEntities(db, sql.held, [
    texts(part.entities.map((entity) => entity.catrn)),
  ]);
  const kin = await kinOf(part, held, db);
  const expected = expect(part, held, { identity, sourceId, kin });
  const written = [...expected.fresh, ...expected.changed.map(({ draft }) => draft)];
  const references = referencesOfAll(part, written);
  await ensureHollow(references, written, db);
  const names = await sharedNames(written, db);
  return { ...part, sourceId, kin, troubled, expected, references, names };
}

interface Standing {
  source_id: number | null;
  troubled: boolean;
  outcome: string | null;
}

/** Of the data sources of held entities those to which a batch that gives way does not. */
async function kinOf(
  { identity, sourceCatrn }: DraftedPart,
  held: Map<string, HeldEntity>,
  db: Database,
): Promise<Set<number>> {
  if (identity.yieldsAt === null) return new Set();
  const sources = [...held.values()].flatMap(({ sourceId }) => sourceId ?? []);
  const rows = await run<{ id: number }>(db, sql.kin, [sourceCatrn, [...new Set(sources)]]);
  return new Set(rows.map(({ id }) => id));
}

/** What the part would write, judged without locks. */
function expect(part: DraftedPart, held: Map<string, HeldEntity>, by: Posting) {
  const fresh: EntityDraft[] = [];
  const changed: ResolvedPart["expected"]["changed"] = [];
  for (const draft of part.entities) {
    const row = held.get(draft.catrn);
    const verdict = judge(draft, row, by);
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
