import type { DataEntity } from "#contract/ingestion/schema.ts";
import {
  isAscii,
  namesOfPath,
  searchVector,
  wordsOfNames,
} from "#metadata/catalogue/search-vector.ts";
import { bigints, texts, tsvectors } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChangeSet } from "../change-set.ts";
import { metadataEntries, tagNames } from "../posted-item.ts";

/**
 * Updates search documents in the transaction that changes what they index. Those of new entities are made of the payload
 * where they can be; the others of what is stored.
 */
export async function writeSearch(
  tx: Transaction,
  set: ChangeSet,
  before: Promise<void>,
): Promise<void> {
  const made: SearchRow[] = [];
  const others: number[] = [];
  for (const { id, fresh, item } of set.changes) {
    const words = fresh ? wordsOf(item) : null;
    if (words === null) others.push(id);
    else made.push({ id, words, item });
  }
  await before;
  if (made.length > 0 && !(await insert(tx, set, made))) others.push(...made.map(({ id }) => id));
  if (others.length > 0) {
    const ids = new Set(others);
    const names = namesOf(set.changes.filter(({ id }) => ids.has(id)));
    const beyond = [...names].filter((name) => !isAscii(name));
    await tx.query(refresh, [bigints(others), texts([...wordsOfNames(names)]), texts(beyond)]);
  }
}

interface SearchRow {
  id: number;
  words: Uint8Array;
  item: DataEntity;
}

async function insert(
  tx: Transaction,
  { names: { tagIds } }: ChangeSet,
  made: SearchRow[],
): Promise<boolean> {
  const [row] = await tx.query(insertStatement, [
    bigints(made.map(({ id }) => id)),
    tsvectors(made.map(({ words }) => words)),
    bigints([...tagIds.values()]),
    texts([...tagIds.keys()]),
    texts([...wordsOfNames(namesOf(made))]),
  ]);
  return row!.written;
}

/** Names of entities and of their columns, each once. */
function namesOf(made: { item: DataEntity }[]): Set<string> {
  const names = new Set<string>();
  for (const { item: { name, dataset } } of made) {
    if (name) names.add(name);
    for (const field of dataset?.field_list ?? []) names.add(field.name);
  }
  return names;
}

/** The words of an entity known only by its payload; null if they cannot be computed here. */
function wordsOf(item: DataEntity): Uint8Array | null {
  // Owners go by rules, which only the database knows.
  if (item.owners) return null;
  const path = namesOfPath(item.catrn);
  if (path === null) return null;
  const metadata = metadataEntries(item.metadata);
  const fields = item.dataset?.field_list ?? [];
  return searchVector({
    name: item.name ?? "",
    tags: tagNames(item.tags),
    description: item.description ?? "",
    named: [...metadata, ...fields].map(({ name }) => name),
    prose: fields.flatMap(({ description, tags, stats }) => [
      description ?? "",
      ...tagNames(tags),
      ...tagNames(stats?.tags),
    ]),
    values: [path, ...metadata.map(({ text }) => text)],
  });
}

/**
 * $1 entities whose searchable words may have changed, $2 words of names whose parts are found, $3 names from which such
 * words are still to be taken.
 */
const refresh = statement("ingest-refresh-search")`
  SELECT rewrite_search_documents($1::bigint[]),
         search_learn($2::text[] || ARRAY(SELECT search_stems($3::text[])))`;

/**
 * $1 entities that this transaction inserted, $2 their words, $3 tags, $4 their names as they were looked up. `written` is
 * false when a tag has another name by now.
 * $5 words of names whose parts are found.
 */
const insertStatement = statement<{ written: boolean }>("ingest-insert-search")`
  SELECT insert_search_documents($1::bigint[], $2::tsvector[], $3::bigint[], $4::text[], $5::text[])
    AS written`;
