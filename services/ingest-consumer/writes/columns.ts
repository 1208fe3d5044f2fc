import { columnEdgeKinds } from "#contract/entities.ts";
import type { ColumnLineage } from "#contract/ingestion/schema.ts";
import { wholeDataset } from "#contract/column-lineage.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, boolean, columns, smallint, text } from "../statement.ts";
import * as sql from "./columns.queries.ts";

type Source = ColumnLineage[number]["sources"][number];

/** A column as it is named, or the dataset as a whole. */
export interface ColumnRef {
  dataset: number;
  path: string | undefined;
}

/** A declared column edge, before its ends have ids. */
interface DeclaredColumnEdge {
  establisher: number;
  source: ColumnRef;
  target: ColumnRef;
  properties: Source;
}

/**
 * Makes an entity's own column edges exactly those it declares; an item without `column_lineage` leaves
 * them as they are. Of two that differ in letter case alone the first is stored.
 */
export async function writeColumns(tx: Transaction, set: ChangeSet): Promise<void> {
  const declaring = set.changes.filter(({ item }) => item.data_transformer?.column_lineage);
  if (declaring.length === 0) return;
  const declared = declaring.flatMap(({ id, item }) =>
    edgesOf(id, item.data_transformer!.column_lineage!, set)
  );
  const earlier = declaring.filter(({ fresh }) => !fresh).map(({ id }) => id);
  if (declared.length === 0 && earlier.length === 0) return;
  const nodeOf = await nodesOf(tx, declared);
  const rows = distinct(declared.map((edge) => {
    const { establisher, source, target, properties } = edge;
    const live = !set.isDeleted(source.dataset) && !set.isDeleted(target.dataset);
    const kind = columnEdgeKinds.indexOf(properties.type ?? "DIRECT");
    return { ...edge, establisher, from: nodeOf(source), to: nodeOf(target), kind, live };
  }));
  await tx.query(sql.replace, [bigints(earlier), ...edgeColumns(rows)]);
}

/** A column edge as it is stored: `from` and `to` are the nodes of its ends. */
export interface EdgeRow {
  establisher: number;
  from: number;
  to: number;
  kind: number;
  source: { dataset: number };
  target: { dataset: number };
  live: boolean;
  properties: { subtype?: string | null; masking?: boolean | null; description?: string | null };
}

/** The columns of these rows in the order in which statements take them. */
export function edgeColumns(rows: EdgeRow[]): unknown[] {
  return columns(
    rows,
    bigint((r) => r.establisher),
    bigint((r) => r.from),
    bigint((r) => r.to),
    smallint((r) => r.kind),
    bigint((r) => r.source.dataset),
    bigint((r) => r.target.dataset),
    boolean((r) => r.live),
    text(({ properties }) => properties.subtype),
    boolean(({ properties }) => properties.masking),
    text(({ properties }) => properties.description),
  );
}

function edgesOf(
  establisher: number,
  entries: ColumnLineage,
  set: ChangeSet,
): DeclaredColumnEdge[] {
  return entries.flatMap(({ target, sources }) =>
    sources.map((properties) => ({
      establisher,
      source: { dataset: set.idOf(properties.dataset_catrn), path: properties.field },
      target: { dataset: set.idOf(target.dataset_catrn), path: target.field },
      properties,
    }))
  );
}

/** Finds or makes the columns that edges name. The datasets are locked, so nobody else makes them now. */
export async function nodesOf(
  tx: Transaction,
  edges: { source: ColumnRef; target: ColumnRef }[],
): Promise<(place: ColumnRef) => number> {
  const named = new Map<string, ColumnRef>();
  for (const { source, target } of edges) {
    for (const place of [source, target]) {
      if (place.path !== undefined) named.set(keyOf(place), place);
    }
  }
  const refs = [...named.values()];
  const values = columns(refs, bigint((p) => p.dataset), text((p) => p.path));
  if (refs.length > 0) await tx.query(sql.ensure, values);
  const found = refs.length > 0 ? await tx.query(sql.find, values) : [];
  const ids = new Map(refs.map((place, i) => [keyOf(place), found[i]!.id]));
  return (place) => place.path === undefined ? wholeDataset(place.dataset) : ids.get(keyOf(place))!;
}

const keyOf = ({ dataset, path }: ColumnRef) => `${dataset} ${path}`;

/** Of edges that are the same, the first. */
export function distinct<T extends { establisher: number; from: number; to: number; kind: number }>(
  rows: T[],
): T[] {
  const first = new Map<string, T>();
  for (const row of rows) {
    const key = `${row.establisher} ${row.from} ${row.to} ${row.kind}`;
    if (!first.has(key)) first.set(key, row);
  }
  return [...first.values()];
}
