import { createHash } from "node:crypto";
import type { Database } from "#metadata/postgres/database.ts";
import { entityClasses, entityTypes } from "#contract/entities.ts";
import { baseOf, type Batch, type Item } from "./items.ts";
import * as sql from "./straight.queries.ts";

/** The rows of one batch, one array per column, so that writing them needs no further computation. */
export interface StraightBatch {
  statements: [text: string, values: unknown[]][];
  pairs: [parent: number, child: number][];
}

interface ItemWithId {
  id: number;
  item: Item;
}

/** The rows that the catalogue would store for a batch, with ids already drawn. */
export async function rowsOf(
  db: Database,
  batch: Batch,
  sourceId: number,
  baseId: number | null,
): Promise<StraightBatch> {
  const datasets = batch.items.filter((item) => item.dataset);
  const fieldCount = datasets.reduce((sum, item) => sum + item.dataset!.field_list.length, 0);
  const [drawn] = await db.query<Record<"entities" | "fields", number[]>>(sql.draw, [
    batch.items.length,
    fieldCount,
  ]);
  const placed = batch.items.map((item, at): ItemWithId => ({ id: drawn!.entities[at]!, item }));
  const ids = new Map(placed.map(({ id, item }) => [item.catrn, id]));
  if (baseId !== null) ids.set(baseOf(batch.source), baseId);
  const edges = placed.flatMap(({ id, item }) => edgesOf(id, item, ids));
  const name = crypto.randomUUID();
  return {
    statements: [
      [sql.entities, entityColumns(placed, sourceId, name)],
      ...detailsOf(placed),
      ...structureOf(placed.filter(({ item }) => item.dataset), drawn!.fields),
      [sql.edges, columns(edges, (e) => e[0], (e) => e[1], (e) => e[2])],
      [sql.activity, columns(placed, (p) => p.id, (p) => stateOf(p))],
      [sql.search, [placed.map(({ id }) => id)]],
      [sql.batch, [name, [...new Set(edges.map(([establisher]) => establisher))]]],
    ],
    pairs: edges.map(([, parent, child]) => [parent, child]),
  };
}

function columns<T>(rows: T[], ...pick: ((row: T) => unknown)[]): unknown[][] {
  return pick.map((value) => rows.map(value));
}

const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

function entityColumns(placed: ItemWithId[], sourceId: number, batch: string): unknown[] {
  const given = columns(
    placed,
    (p) => p.id,
    (p) => p.item.catrn,
    (p) => entityTypes[p.item.type].id,
    (p) => `{${entityClasses[p.item.dataset ? "DATA_SET" : "DATA_TRANSFORMER"]}}`,
    (p) => p.item.name,
    (p) => p.item.description,
    (p) => hash(p.item),
  );
  return [...given, sourceId, batch, placed.map(({ item }) => attributesOf(item))];
}

function attributesOf({ dataset, data_transformer }: Item): string {
  return JSON.stringify(
    dataset ? { dataset: { parent_catrn: dataset.parent_catrn } } : { data_transformer },
  );
}

function detailsOf(placed: ItemWithId[]): [string, unknown[]][] {
  const tags = placed.flatMap(({ id, item }) => item.tags.map(({ name }) => ({ id, name })));
  const values = placed.flatMap(({ id, item }) =>
    Object.entries(item.metadata[0]!.metadata).map(([name, value]) => ({ id, name, value }))
  );
  return [
    [sql.tags, columns(tags, (t) => t.id, (t) => t.name)],
    [sql.metadata, columns(values, (v) => v.id, (v) => v.name, (v) => String(v.value))],
  ];
}

function structureOf(
  datasets: ItemWithId[],
  fieldIds: number[],
): [string, unknown[]][] {
  const fields = datasets.flatMap(({ id, item }) =>
    item.dataset!.field_list.map((field) => ({ dataset: id, field }))
  ).map((row, at) => ({ ...row, id: fieldIds[at]! }));
  const idsOf = Map.groupBy(fields, ({ dataset }) => dataset);
  const tags = fields.flatMap(({ id, field }) =>
    (field.tags ?? []).map(({ name }) => ({ id, name }))
  );
  return [
    [
      sql.versions,
      columns(
        datasets,
        (d) => d.id,
        (d) => hash(d.item.dataset),
        (d) => `{${idsOf.get(d.id)!.map(({ id }) => id)}}`,
      ),
    ],
    [
      sql.fields,
      columns(
        fields,
        (f) => f.id,
        (f) => f.dataset,
        (f) => f.field.catrn,
        (f) => f.field.name,
        (f) => f.field.description,
        (f) => f.field.type.type,
        (f) => f.field.type.logical_type,
        (f) => f.field.type.is_nullable,
        (f) => f.field.is_primary_key,
        (f) => hash(f.field),
      ),
    ],
    [sql.fieldTags, columns(tags, (t) => t.id, (t) => t.name)],
  ];
}

type Edge = [establisher: number, parent: number, child: number];

function edgesOf(id: number, item: Item, ids: Map<string, number>): Edge[] {
  const parent = item.dataset?.parent_catrn;
  const parents = [...(parent ? [parent] : []), ...item.data_transformer?.inputs ?? []];
  return [
    ...parents.map((catrn): Edge => [id, ids.get(catrn)!, id]),
    ...(item.data_transformer?.outputs ?? []).map((catrn): Edge => [id, id, ids.get(catrn)!]),
  ];
}

/** The state of a new entity as the activity feed stores it. */
function stateOf({ id, item }: ItemWithId): string {
  const { catrn, description, type, name } = item;
  const entity_classes = [item.dataset ? "DATA_SET" : "DATA_TRANSFORMER"];
  return JSON.stringify({
    data_entity: { id, catrn, description, entity_classes, type, external_name: name },
  });
}
