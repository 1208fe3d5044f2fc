import { PermanentError } from "#kit/errors.ts";
import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { ensureEntities } from "#metadata/catalogue/hollow-entities.ts";
import { referencesOf } from "../edges.ts";
import { heldEntities } from "../held.ts";
import type { DraftedPart, EntityDraft, HeldEntity, ResolvedPart, RunDraft } from "../part.ts";
import { run } from "../statement.ts";
import { judge, type Posting } from "./diff.ts";
import { sharedNames } from "./names.ts";
import { ownershipOf, separateRuns, unrestricted } from "./ownership.ts";
import * as sql from "./resolve.queries.ts";

/**
 * Stage 5: finds or creates an id for every name. Each is created in a short transaction, in one
 * order, so that no long transaction locks rows that all batches share. Null when the part was
 * applied before. With `restricted` a batch writes only what belongs to its own data source, or to none. Throws
 * `PermanentError` for an unknown data source.
 */
export async function resolve(
  part: DraftedPart,
  db: Database,
  restricted = false,
): Promise<ResolvedPart | null> {
  const { identity, sourceCatrn } = part;
  const asked = [sourceCatrn, identity.batch, identity.part];
  const [standing] = await run<Standing>(db, sql.standing, asked);
  if (standing!.outcome === "applied") return null;
  const { source_id: sourceId, troubled } = standing!;
  if (sourceId === null) {
    throw new PermanentError(
      "unknown_data_source",
      `The data source ${sourceCatrn} is not known; register it first`,
      [{ field: "data_source_catrn", message: "is not a registered data source" }],
    );
  }
  return await resolveKnown(part, db, { restricted, sourceId, troubled });
}

async function resolveKnown(
  part: DraftedPart,
  db: Database,
  { restricted, sourceId, troubled }: { restricted: boolean; sourceId: number; troubled: boolean },
): Promise<ResolvedPart> {
  const { identity } = part;
  const held = await heldEntities(db, sql.held, [
    texts(part.entities.map((entity) => entity.catrn)),
  ]);
  const kin = await kinOf(part, held, db);
  // A batch that our own services compose yields to collectors already.
  const checked = restricted && identity.yieldsAt === null;
  const owned = checked ? await ownedBy(part, sourceId, held, db) : allOwned(part);
  const { ownership, runs } = owned;
  const expected = expect(part, held, { identity, sourceId, kin, ownership });
  const written = [...expected.fresh, ...expected.changed.map(({ draft }) => draft)];
  const references = referencesOfAll(runs, written);
  await ensureHollow(references, written, db);
  const names = await sharedNames(written, db);
  return { ...part, ...owned, sourceId, kin, troubled, expected, references, names };
}

type Owned = Pick<ResolvedPart, "ownership" | "runs" | "foreignRuns">;

function allOwned({ runs }: DraftedPart): Owned {
  return { ownership: unrestricted, runs, foreignRuns: [] };
}

/** What of the part its data source may write. */
async function ownedBy(
  part: DraftedPart,
  sourceId: number,
  held: Map<string, HeldEntity>,
  db: Database,
): Promise<Owned> {
  const claims = part.entities.map(({ catrn }) => ({ catrn, stored: held.get(catrn) }));
  const ownership = await ownershipOf(part, sourceId, claims, db);
  const { runs, foreign } = await separateRuns(part, sourceId, db);
  return { ownership, runs, foreignRuns: foreign };
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
    if (verdict === "foreign") continue;
    if (!row) fresh.push(draft);
    else if (verdict === "new" || verdict === "changed") changed.push({ id: row.id, draft });
  }
  return { fresh, changed };
}

function referencesOfAll(runs: RunDraft[], written: EntityDraft[]): string[] {
  const found = new Set(runs.map((run) => run.taskCatrn));
  for (const { item } of written) for (const catrn of referencesOf(item)) found.add(catrn);
  return [...found];
}

async function ensureHollow(references: string[], written: EntityDraft[], db: Database) {
  const own = new Set(written.map((draft) => draft.catrn));
  const others = references.filter((catrn) => !own.has(catrn));
  await ensureEntities(db, others);
}
