import { concernsObject, type SourceConnection } from "./connect.ts";
import { isView, relationCatrn } from "./names.ts";
import * as queries from "./queries.ts";
import { viewColumns } from "./tree.ts";
import { type ColumnIndex, type ViewFacts, viewTransformer } from "./views.ts";
import type { RelationFacts } from "./items.ts";
import type { Item } from "../../connector.ts";
import { SourceError } from "../../connector.ts";

type Transformer = NonNullable<Item["data_transformer"]>;

/** Longest parsed query of a view, in bytes. */
export const maxTree = 2_000_000;

/** What is known of the views of a page, by oid; views that could not be read with the reason. */
export interface PageViews {
  known: Map<number, Transformer>;
  broken: Map<number, SourceError>;
}

/** Columns and constraints of relations. */
export async function factsOf(
  connection: SourceConnection,
  relations: queries.Relation[],
): Promise<RelationFacts[]> {
  const oids = [relations.map(({ oid }) => oid)];
  const columns = Map.groupBy(
    await connection.query<queries.Column>(queries.columns, oids),
    ({ relation }) => relation,
  );
  const constraints = Map.groupBy(
    await connection.query<queries.Constraint>(queries.constraints, oids),
    ({ relation }) => relation,
  );
  return relations.map((relation) => ({
    relation,
    columns: columns.get(relation.oid) ?? [],
    constraints: constraints.get(relation.oid) ?? [],
  }));
}

/** What the views of a page read and how their columns are made. A view that fails costs itself only. */
export async function viewsOf(
  connection: SourceConnection,
  source: string,
  facts: RelationFacts[],
): Promise<PageViews> {
  const views = facts.filter(({ relation }) => isView(relation));
  const found: PageViews = { known: new Map(), broken: new Map() };
  if (views.length > 0) await readViews(connection, source, views, found);
  return found;
}

async function readViews(
  connection: SourceConnection,
  source: string,
  views: RelationFacts[],
  found: PageViews,
): Promise<void> {
  try {
    const known = await connection.reading(() => transformers(connection, source, views));
    for (const [oid, transformer] of known) found.known.set(oid, transformer);
  } catch (error) {
    if (!(error instanceof SourceError) || !concernsObject(error)) throw error;
    const [only, ...others] = views;
    if (only && others.length === 0) {
      found.broken.set(only.relation.oid, error);
      return;
    }
    // One of them is broken: halves find it in few queries.
    const half = Math.ceil(views.length / 2);
    await readViews(connection, source, views.slice(0, half), found);
    await readViews(connection, source, views.slice(half), found);
  }
}

async function transformers(
  connection: SourceConnection,
  source: string,
  views: RelationFacts[],
): Promise<Map<number, Transformer>> {
  const oids = views.map(({ relation }) => relation.oid);
  const definitions = new Map(
    (await connection.query<queries.ViewDefinition>(queries.viewDefinitions, [oids, maxTree]))
      .map((one) => [one.view, one]),
  );
  const inputs = Map.groupBy(
    await connection.query<queries.ViewInput>(queries.viewInputs, [oids]),
    ({ view }) => view,
  );
  const facts = views.flatMap(({ relation, columns }): [number, ViewFacts][] => {
    const definition = definitions.get(relation.oid);
    if (!definition) return [];
    const traced = definition.tree === null ? null : viewColumns(definition.tree);
    const catrn = relationCatrn(source, relation);
    return [[relation.oid, {
      catrn,
      columns,
      definition,
      inputs: inputs.get(relation.oid) ?? [],
      traced,
    }]];
  });
  const index = await columnIndex(connection, facts.map(([, one]) => one));
  return new Map(facts.map(([oid, view]) => [oid, viewTransformer(source, view, index)]));
}

async function columnIndex(
  connection: SourceConnection,
  views: ViewFacts[],
): Promise<ColumnIndex> {
  const oids = new Set<number>();
  for (const { traced } of views) {
    for (const { relation } of traced?.conditions ?? []) oids.add(relation);
    for (const { origins } of traced?.columns ?? []) {
      for (const { relation } of origins) oids.add(relation);
    }
  }
  if (oids.size === 0) return new Map();
  const rows = await connection.query<queries.NamedColumn>(queries.columnNames, [[...oids]]);
  return new Map(rows.map((row) => [`${row.relation}.${row.number}`, row]));
}
