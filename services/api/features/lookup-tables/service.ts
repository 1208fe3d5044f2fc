import pg from "pg";
import type { Actor } from "#contract/actor.ts";
import { lookupCatrns } from "#contract/entities.ts";
import { LookupTableList } from "#contract/catalogue/lookup-tables.ts";
import { badRequest, conflict } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/entities.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import { refreshDocuments } from "#metadata/catalogue/search-documents.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { foundJson } from "#services/api/list-json.ts";
import { Slots } from "#services/api/transfers.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { isSame } from "#services/api/search/typed-text.ts";
import { type Deps, lockLookupTable } from "./columns.ts";
import { maxPhysicalTables, maxTables, maxTransfers } from "./limits.ts";
import {
  addColumn,
  createTable,
  normalised,
  physicalTable,
  setUnique,
} from "./physical/definition.queries.ts";
import type { LookupTableForm, LookupTableUpdateForm } from "./schemas.ts";
import * as structure from "./structure.queries.ts";
import * as queries from "./tables.queries.ts";
import { writeStructure } from "./tables.queries.ts";
import { lockStore, type LookupStore } from "#platform/lookup-store.ts";
import { structures, type Table } from "./structure.queries.ts";

export { addColumns, changeColumn, readColumn, removeColumn } from "./columns.ts";
export { exportRows } from "./files/export.ts";
export { importRows } from "./files/import.ts";
export { addRows, readRows, removeRow, replaceRow } from "./rows.ts";

/** LookupTable as JSON text. Throws 404 for an unknown and for a deleted one. */
export async function readTable({ db }: Pick<Deps, "db">, id: number): Promise<string> {
  return foundJson(await db.query(structure.tableJson, [id]), "Lookup table", id);
}

/**
 * Makes a lookup table with its key, and the data entity that it is; returns it as JSON text. Throws 400
 * (USR003) for a name that the namespace has.
 */
export function createTableIn(deps: Deps, actor: Actor, form: LookupTableForm): Promise<string> {
  const now = new Date(deps.clock.now());
  return changing(deps, actor, async (change) => {
    const { tx } = change;
    await lockStore(tx);
    const { name, description } = form;
    const namespace = (await ensureNamed(tx, "namespace", form.namespace_name))!;
    const row = {
      catrn: `${lookupCatrns}${uuidv7(now.getTime())}`,
      name,
      normalised: normalised(name),
      description,
      namespace,
    };
    await checkName(change, row, 0, form.namespace_name);
    await refuseMore(tx);
    const made = await queries.insertLookupTable(
      tx,
      row,
      (id) => physicalTable(namespace, name, id),
      now,
    );
    await structure.insertColumns(tx, made.id, [await keyColumn(change)]);
    await writeStructure(tx, made.id);
    await refreshDocuments(tx, "lookup_table", [made.id]);
    await deps.store.within(tx, (on) => createTable(on, made));
    change.record({
      type: "DATA_ENTITY_CREATED",
      entityId: made.entity,
      after: {
        id: made.entity,
        catrn: row.catrn,
        description,
        entity_classes: ["DATA_SET"],
        type: "LOOKUP_TABLE",
        external_name: name,
      },
    });
    change.searchable([made.entity]);
    return (await tx.query(structure.tableJson, [made.id]))[0]!.json;
  });
}

/** A table that is deleted keeps nobody from making one, but many of them do: their rows stand until they are purged. */
async function refuseMore(tx: Transaction): Promise<void> {
  await countAlone(tx, "lookup tables");
  const { live, standing } = (await tx.query(queries.countTables))[0]!;
  if (live >= maxTables) {
    throw badRequest(`There are ${live} lookup tables, and ${maxTables} at most: delete some`);
  }
  if (standing >= maxPhysicalTables) {
    throw badRequest(
      `There are ${standing} lookup tables, deleted ones included, and ${maxPhysicalTables} at most: deleted ones go ` +
        "after housekeeping.ttl.data_entity_delete_days",
    );
  }
}

async function keyColumn({ tx }: Change): Promise<structure.Column> {
  const [id] = await structure.columnIds(tx, 1);
  return {
    id: id!,
    name: "id",
    normalised: "id",
    physical: "id",
    description: null,
    type: "INTEGER",
    key: true,
    nullable: false,
    unique: true,
    default: null,
  };
}

/** Names a table, and describes it unless the form leaves that out; returns it as JSON text. Throws 404, and 400 (USR003) for a name that is taken. */
export function updateTable(
  deps: Deps,
  actor: Actor,
  id: number,
  form: LookupTableUpdateForm,
): Promise<string> {
  return changing(deps, actor, async (change) => {
    const { tx } = change;
    const table = await lockLookupTable(change, id);
    const { namespace, entity } = table;
    const { name, description = table.description } = form;
    const row = { name, normalised: normalised(name), namespace };
    if (name !== table.name) await checkName(change, row, id, "its namespace");
    const values = [name, row.normalised, description, new Date(deps.clock.now())];
    await tx.query(queries.updateTable, [id, ...values]);
    await refreshDocuments(tx, "lookup_table", [id]);
    if (name !== table.name) {
      const states = { before: { name: table.name }, after: { name } };
      change.record({ type: "LOOKUP_TABLE_RENAMED", entityId: entity, ...states });
    }
    change.searchable([entity]);
    return (await tx.query(structure.tableJson, [id]))[0]!.json;
  });
}

/**
 * Deletes a table by the status of its data entity: it is gone everywhere, its rows stay until the entity is
 * purged, and restoring the entity restores it. Throws 404.
 */
export function deleteTable(deps: Deps, actor: Actor, id: number): Promise<void> {
  return changing(deps, actor, async (change) => {
    const { entity } = await lockLookupTable(change, id);
    const locked = await lockStatuses(change.tx, [entity]);
    const to = { status: "DELETED", switchAt: null } as const;
    await applyStatus(change, locked, to, new Date(deps.clock.now()));
  });
}

async function checkName(
  { tx }: Change,
  row: Pick<queries.TableRow, "name" | "normalised" | "namespace">,
  id: number,
  namespace: string,
): Promise<void> {
  await tx.query(queries.lockNamespace, [row.namespace]);
  const taken = await tx.query(queries.sameName, [row.namespace, row.normalised, id]);
  if (taken.length === 0) return;
  throw conflict(`A lookup table "${row.name}" already exists in this namespace (${namespace})`, [
    { field: "name", message: `must not be the name of another table (${row.normalised})` },
  ]);
}

/** Slots for imports and exports, so few that they leave most of these connections to others. */
export function transferSlots(connections: number): Slots {
  const max = Math.max(1, Math.min(maxTransfers, Math.floor(connections / 4)));
  return new Slots(max, "imports and exports of lookup tables");
}

/**
 * Creates the tables of rows that the catalogue describes, empty, deleted ones included; returns what the catalogue
 * knows of them. For a restore: the store holds none of them.
 */
export async function createDescribedTables(db: Queryable, store: LookupStore): Promise<Table[]> {
  const tables = await db.query(structures);
  for (const table of tables) {
    await store.alone(async (on) => {
      await createTable(on, table);
      for (const column of table.columns) {
        if (column.key) continue;
        // The rows come with their cells; a default would only cost.
        await addColumn(on, table, { ...column, default: null });
        if (column.unique) await setUnique(on, table, column);
      }
    });
  }
  return tables;
}

/** Removes the schema of the rows with everything in it, for a restore over other content. */
export async function dropTables(db: Queryable, schema: string): Promise<void> {
  await db.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
}

/** The search of lookup tables: by name, description and columns. */
export const lookupSearch: SearchFamily = {
  name: "lookup-tables",
  schemas: "ReferenceData",
  tag: "referenceData",
  path: "/api/referencedata/search",
  operations: {
    start: "referenceDataSearch",
    read: "getReferenceDataSearchFacetList",
    change: "updateReferenceDataSearchFacetList",
    results: "getReferenceDataSearchResults",
  },
  table: "lookup_table",
  document: {
    table: "lookup_document",
    key: "table_id",
    name: "search_name(e.name)",
    names: "ts_filter(d.vector, '{a}')",
    same: (typed) => isSame(typed, ["e.name"]),
    context: "(SELECT n.name FROM namespace n WHERE n.id = e.namespace_id)",
  },
  shown: () => [
    "EXISTS (SELECT FROM data_entity x WHERE x.id = e.entity_id AND is_live(x.status))",
  ],
  facets: new Map(),
  results: {
    schema: LookupTableList,
    json: ({ ids, total, hasNext }) => `
      SELECT json_build_object(
        'items', (SELECT coalesce(json_agg(json_lookup_table(t) ORDER BY f.n), '[]')
                    FROM unnest(${ids}) WITH ORDINALITY AS f (id, n)
                    JOIN lookup_table t ON t.id = f.id),
        'page_info', json_build_object('total', ${total}, 'hasNext', ${hasNext}))`,
  },
};
