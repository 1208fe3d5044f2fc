import { PermanentError } from "#kit/errors.ts";
import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { ensureEntities } from "#metadata/catalogue/hollow-entities.ts";
import { referencesOf } from "../edges.ts";
import { storedEntities } from "../stored-entities.ts";
import type { DraftedChunk, EntityDraft, ResolvedChunk, RunDraft, StoredEntity } from "../chunk.ts";
import { run } from "../statement.ts";
import { evaluate, type PostingContext } from "./diff.ts";
import { sharedNames } from "./names.ts";
import { ownershipOf, separateRuns, unrestricted } from "./ownership.ts";
import * as sql from "./resolve.queries.ts";

/**
 * Stage 5: finds or creates an id for every name. Each is created in a short transaction, in one
 * order, so that no long transaction locks rows that all batches share. Null when the chunk was
 * applied before. With `restricted` a batch writes only what belongs to its own data source, or to none. Throws
 * `PermanentError` for an unknown data source.
 */
export async function resolve(
  chunk: DraftedChunk,
  db: Database,
  restricted = false,
): Promise<ResolvedChunk | null> {
  const { identity, sourceCatrn } = chunk;
  const params = [sourceCatrn, identity.batch, identity.part];
  const [state] = await run<SourceState>(db, sql.sourceState, params);
  if (state!.outcome === "applied") return null;
  const { source_id: sourceId, hasOpenAlert } = state!;
  if (sourceId === null) {
    throw new PermanentError(
      "unknown_data_source",
      `The data source ${sourceCatrn} is not known; register it first`,
      [{ field: "data_source_catrn", message: "is not a registered data source" }],
    );
  }
  return await resolveKnown(chunk, db, { restricted, sourceId, hasOpenAlert });
}

async function resolveKnown(
  chunk: DraftedChunk,
  db: Database,
  { restricted, sourceId, hasOpenAlert }: {
    restricted: boolean;
    sourceId: number;
    hasOpenAlert: boolean;
  },
): Promise<ResolvedChunk> {
  const { identity } = chunk;
  const stored = await storedEntities(db, sql.stored, [
    texts(chunk.entities.map((entity) => entity.catrn)),
  ]);
  const siblingSources = await siblingSourcesOf(chunk, stored, db);
  // A batch that our own services compose yields to collectors already.
  const checked = restricted && identity.yieldsAt === null;
  const owned = checked ? await ownedBy(chunk, sourceId, stored, db) : allOwned(chunk);
  const { ownership, runs } = owned;
  const expected = expect(chunk, stored, { identity, sourceId, siblingSources, ownership });
  const written = [...expected.fresh, ...expected.changed.map(({ draft }) => draft)];
  const references = referencesOfAll(runs, written);
  await ensureHollow(references, written, db);
  const names = await sharedNames(written, db);
  return {
    ...chunk,
    ...owned,
    sourceId,
    siblingSources,
    hasOpenAlert,
    expected,
    references,
    names,
  };
}

type Owned = Pick<ResolvedChunk, "ownership" | "runs" | "foreignRuns">;

function allOwned({ runs }: DraftedChunk): Owned {
  return { ownership: unrestricted, runs, foreignRuns: [] };
}

/** What of the chunk its data source may write. */
async function ownedBy(
  chunk: DraftedChunk,
  sourceId: number,
  stored: Map<string, StoredEntity>,
  db: Database,
): Promise<Owned> {
  const claims = chunk.entities.map(({ catrn }) => ({ catrn, stored: stored.get(catrn) }));
  const ownership = await ownershipOf(chunk, sourceId, claims, db);
  const { runs, foreign } = await separateRuns(chunk, sourceId, db);
  return { ownership, runs, foreignRuns: foreign };
}

interface SourceState {
  source_id: number | null;
  hasOpenAlert: boolean;
  outcome: string | null;
}

/** Of the data sources of stored entities those that do not take precedence over a low-precedence batch. */
async function siblingSourcesOf(
  { identity, sourceCatrn }: DraftedChunk,
  stored: Map<string, StoredEntity>,
  db: Database,
): Promise<Set<number>> {
  if (identity.yieldsAt === null) return new Set();
  const sources = [...stored.values()].flatMap(({ sourceId }) => sourceId ?? []);
  const rows = await run<{ id: number }>(db, sql.siblingSources, [sourceCatrn, [
    ...new Set(sources),
  ]]);
  return new Set(rows.map(({ id }) => id));
}

/** What the chunk would write, evaluated without locks. */
function expect(chunk: DraftedChunk, stored: Map<string, StoredEntity>, by: PostingContext) {
  const fresh: EntityDraft[] = [];
  const changed: ResolvedChunk["expected"]["changed"] = [];
  for (const draft of chunk.entities) {
    const row = stored.get(draft.catrn);
    const outcome = evaluate(draft, row, by);
    if (outcome === "foreign") continue;
    if (!row) fresh.push(draft);
    else if (outcome === "new" || outcome === "changed") changed.push({ id: row.id, draft });
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
