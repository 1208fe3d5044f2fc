import type { DataEntity } from "#contract/ingestion/schema.ts";
import { PermanentError } from "#kit/errors.ts";
import { ensureEntities } from "#metadata/catalogue/entities.ts";
import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime, type Statement, statement } from "#metadata/postgres/statement.ts";
import type {
  DraftedChunk,
  EntityDraft,
  ResolvedChunk,
  RunDraft,
  SharedNames,
  StoredEntity,
} from "../chunk.ts";
import { Conflict } from "../failures.ts";
import {
  fieldKey,
  metadataEntries,
  type MetadataType,
  referencesOf,
  tagNames,
} from "../posted-item.ts";
import { ownershipOf, separateRuns, unrestricted } from "./ownership.ts";
import {
  evaluate,
  type PostingContext,
  storedColumns,
  storedEntities,
  type StoredEntityRow,
} from "./stored-entities.ts";

interface SourceState {
  source_id: number | null;
  hasOpenAlert: boolean;
  outcome: string | null;
}

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
  const [state] = await db.query(sourceState, params);
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
  const stored = await storedEntities(db, storedRows, [
    texts(chunk.entities.map((draft) => draft.catrn)),
  ]);
  const siblingSources = await siblingSourcesOf(chunk, stored, db);
  // A batch that our own services compose yields to collectors already.
  const checked = restricted && identity.yieldsAt === null;
  const owned = checked ? await ownedBy(chunk, sourceId, stored, db) : allOwned(chunk);
  const { ownership, runs } = owned;
  const expected = expect(chunk, stored, { identity, sourceId, siblingSources, ownership });
  const expectedDrafts = [...expected.fresh, ...expected.changed.map(({ draft }) => draft)];
  const references = referencesOfAll(runs, expectedDrafts);
  await ensureHollow(references, expectedDrafts, db);
  const names = await sharedNames(expectedDrafts, db);
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

/** Of the data sources of stored entities those that do not take precedence over a low-precedence batch. */
async function siblingSourcesOf(
  { identity, sourceCatrn }: DraftedChunk,
  stored: Map<string, StoredEntity>,
  db: Database,
): Promise<Set<number>> {
  if (identity.yieldsAt === null) return new Set();
  const sources = [...stored.values()].flatMap(({ sourceId }) => sourceId ?? []);
  const rows = await db.query(findSiblingSources, [sourceCatrn, [
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

function referencesOfAll(runs: RunDraft[], expectedDrafts: EntityDraft[]): string[] {
  const found = new Set(runs.map((run) => run.taskCatrn));
  for (const { item } of expectedDrafts) for (const catrn of referencesOf(item)) found.add(catrn);
  return [...found];
}

async function ensureHollow(references: string[], expectedDrafts: EntityDraft[], db: Database) {
  const own = new Set(expectedDrafts.map((draft) => draft.catrn));
  const others = references.filter((catrn) => !own.has(catrn));
  await ensureEntities(db, others);
}

/** Ids of what the payloads name; what is missing is made. */
async function sharedNames(drafts: EntityDraft[], db: Database): Promise<SharedNames> {
  const tags = new Set<string>();
  const fields = new Map<string, { name: string; type: MetadataType }>();
  const collect = (item: Pick<DataEntity, "tags" | "metadata">) => {
    for (const name of tagNames(item.tags)) tags.add(name);
    for (const { name, type } of metadataEntries(item.metadata)) {
      fields.set(fieldKey(name, type), { name, type });
    }
  };
  for (const { item } of drafts) {
    collect(item);
    for (const field of item.dataset?.field_list ?? []) {
      collect(field);
      for (const name of tagNames(field.stats?.tags)) tags.add(name);
    }
  }
  const owners = drafts.flatMap(({ item }) => item.owners ?? []);
  const titles = owners.flatMap(({ title }) => title || []);
  return {
    tagIds: await idsOf(tags, "tags", ensureTags, db),
    fieldIds: await fieldIdsOf(fields, db),
    ownerIds: await idsOf(owners.map(({ name }) => name), "owners", ensureOwners, db),
    titleIds: await idsOf(titles, "titles", ensureTitles, db),
  };
}

async function idsOf(
  named: Iterable<string>,
  what: string,
  ensure: Statement<{ id: number; name: string }>,
  db: Database,
): Promise<Map<string, number>> {
  const names = [...new Set(named)];
  if (names.length === 0) return new Map();
  return await complete(names.length, what, async () => {
    const rows = await db.query(ensure, [names]);
    return new Map(rows.map((row) => [row.name, row.id]));
  });
}

async function fieldIdsOf(
  fields: Map<string, { name: string; type: MetadataType }>,
  db: Database,
): Promise<Map<string, number>> {
  if (fields.size === 0) return new Map();
  const wanted = [...fields.values()];
  const values = [wanted.map((field) => field.name), wanted.map((field) => field.type)];
  return await complete(fields.size, "metadata fields", async () => {
    const rows = await db.query(ensureFields, values);
    return new Map(rows.map((row) => [fieldKey(row.name, row.type), row.id]));
  });
}

/** Repeats the statement while rows that another transaction was inserting are missing. */
async function complete<T>(
  size: number,
  what: string,
  ask: () => Promise<Map<string, T>>,
): Promise<Map<string, T>> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const found = await ask();
    if (found.size >= size) return found;
  }
  throw new Conflict(`${what} changed while they were looked up`);
}

/**
 * $1 data source CATRN, $2 batch, $3 part: the source's id, whether an alert about it is open, and the
 * earlier outcome of the chunk.
 */
const sourceState = statement<SourceState>("ingest-standing")`
  SELECT s.id AS source_id,
          EXISTS (SELECT FROM alert a WHERE a.status = 1 AND a.data_source_id = s.id) AS "hasOpenAlert",
          (SELECT outcome FROM applied_batch WHERE batch = $2 AND part = $3) AS outcome
     FROM (VALUES (1)) AS one LEFT JOIN data_source s ON s.catrn = $1`;

/** $1 CATRNs. */
export const storedRows = plannedEachTime<StoredEntityRow>("ingest-held")`
  SELECT ${storedColumns}
     FROM data_entity WHERE catrn = ANY($1::text[])`;

/**
 * $1 CATRN of a data source, $2 ids of others: those of the same system, which is what their CATRNs begin with, and those
 * of OpenLineage events, of which every system that lists its own assets knows more.
 */
const findSiblingSources = statement<{ id: number }>("ingest-kin")`
  SELECT id FROM data_source
   WHERE id = ANY($2::bigint[]) AND (
           starts_with(catrn, substring($1 FROM '^//[^/]*/')) OR starts_with(catrn, '//openlineage/'))`;

/**
 * $1 names: finds the rows of these names, or makes them; names that differ only in case or Unicode normal form are one. Of
 * several rows with spellings of one name the one spelled like that comes first. Concurrent batches insert shared rows in
 * one order. An insert waits for rows of another transaction instead of failing; such rows are missing from the result, so
 * `complete` repeats the statement.
 */
const ensureNamed = (table: "tag" | "owner" | "title") =>
  plannedEachTime<{ id: number; name: string }>(`ingest-ensure-${table}s`)`
  WITH wanted AS MATERIALIZED (
     SELECT name, name_key(name) AS key, place FROM unnest($1::text[]) WITH ORDINALITY AS w (name, place)),
   made AS (
     INSERT INTO ${table} (name, folded)
     SELECT DISTINCT ON (key) name, key FROM wanted w
      WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.folded = w.key)
     ORDER BY key, place
     ON CONFLICT DO NOTHING
     RETURNING id, folded)
   SELECT t.id, w.name FROM wanted w CROSS JOIN LATERAL (
     SELECT id FROM ${table} t WHERE t.folded = w.key
      ORDER BY t.name = w.name DESC, t.is_duplicate, t.id LIMIT 1) t
   UNION ALL SELECT m.id, w.name FROM made m JOIN wanted w ON w.key = m.folded`;

const ensureTags = ensureNamed("tag");
const ensureOwners = ensureNamed("owner");
const ensureTitles = ensureNamed("title");

/** $1 names, $2 types of metadata fields: as `ensureNamed`. */
const ensureFields = plannedEachTime<{ id: number; name: string; type: MetadataType }>(
  "ingest-ensure-fields",
)`
  WITH wanted AS (
     SELECT DISTINCT name COLLATE "C" AS name, type FROM unnest($1::text[], $2::text[]) AS w (name, type)),
   made AS (
     INSERT INTO metadata_field (name, type, origin)
     SELECT name, type, 'EXTERNAL' FROM wanted w WHERE NOT EXISTS (
       SELECT FROM metadata_field f WHERE (f.name, f.type, f.origin) = (w.name, w.type, 'EXTERNAL'))
     ORDER BY name, type
     ON CONFLICT (name, type, origin) DO NOTHING
     RETURNING id, name, type)
   SELECT f.id, f.name, f.type
     FROM metadata_field f JOIN wanted w ON (f.name, f.type) = (w.name, w.type)
     WHERE f.origin = 'EXTERNAL'
   UNION ALL SELECT id, name, type FROM made`;
