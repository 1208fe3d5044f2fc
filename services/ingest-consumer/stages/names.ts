import type { DataEntity } from "#contract/ingestion/schema.ts";
import type { Database, Row } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import type { EntityDraft, SharedNames } from "../chunk.ts";
import { Conflict } from "../failures.ts";
import { run } from "../statement.ts";
import { fieldKey, metadataEntries, type MetadataType, tagNames } from "../values.ts";
import * as sql from "./resolve.queries.ts";

/** Ids of what the payloads name; what is missing is made. */
export async function sharedNames(drafts: EntityDraft[], db: Database): Promise<SharedNames> {
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
    tagIds: await idsOf(tags, "tags", sql.ensureTags, db),
    fieldIds: await fieldIdsOf(fields, db),
    ownerIds: await idsOf(owners.map(({ name }) => name), "owners", sql.ensureOwners, db),
    titleIds: await idsOf(titles, "titles", sql.ensureTitles, db),
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
    const rows = await run<Row & { id: number; name: string; type: MetadataType }>(
      db,
      sql.ensureFields,
      values,
    );
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
