import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import {
  type Finding,
  isIncluded,
  problemFinding,
  type Session,
  type Transformer,
} from "../../connector.ts";
import { concernsObject, openConnection, type SourceConnection } from "./connect.ts";
import { readHistory } from "./history/read.ts";
import {
  type ColumnIndex,
  foreignKeyItems,
  type RelationFacts,
  relationItem,
  type ViewFacts,
  viewTransformer,
} from "./items.ts";
import { isView, plainName, relationCatrn } from "./names.ts";
import * as queries from "./queries.ts";
import { viewColumns } from "./tree.ts";

/** Relations of a page: as much of the source as is in memory. */
export const pageSize = 100;

/** Reads a database page by page, in the order of oids, each page in a short transaction of its own, then its query history. */
export async function* readDatabase(
  session: Session<PostgresqlSettings>,
): AsyncGenerator<Finding> {
  const connection = await openConnection(session);
  try {
    for (let after: number | undefined = 0; after !== undefined;) {
      const page = await readPage(connection, session, after);
      yield* page.findings;
      after = page.last;
    }
    yield* readHistory(connection, session);
  } finally {
    await connection.close();
  }
}

/** The findings of a page of relations whose oid is larger; `last` is the last oid, undefined at the end. */
async function readPage(
  connection: SourceConnection,
  { settings, source }: Session<PostgresqlSettings>,
  after: number,
): Promise<{ last: number | undefined; findings: Finding[] }> {
  const [found, facts] = await connection.reading(async () => {
    const found = await connection.query<queries.Relation>(queries.relations, [after, pageSize]);
    const wanted = found.filter((one) => isIncluded(plainName(one), settings));
    return [found, wanted.length > 0 ? await factsOf(connection, wanted) : []] as const;
  });
  const views: PageViews = new Map();
  await readViews(connection, source, facts.filter(({ relation }) => isView(relation)), views);
  const findings = facts.flatMap((one) => findingsOf(source, one, views));
  return { last: found.at(-1)?.oid, findings };
}

/** Columns and constraints of relations. */
async function factsOf(
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

/** What is known of the views of a page, by oid: what each reads, or why it could not be read. */
type PageViews = Map<number, Transformer | SourceError>;

/** What views read and how their columns are made, put into `found`. A view that fails costs itself only. */
async function readViews(
  connection: SourceConnection,
  source: string,
  views: RelationFacts[],
  found: PageViews,
): Promise<void> {
  if (views.length === 0) return;
  try {
    const known = await connection.reading(() => transformers(connection, source, views));
    for (const [oid, transformer] of known) found.set(oid, transformer);
  } catch (error) {
    if (!(error instanceof SourceError) || !concernsObject(error)) throw error;
    if (views.length === 1) {
      found.set(views[0]!.relation.oid, error);
      return;
    }
    // One of them is broken: halves find it in few queries.
    const half = Math.ceil(views.length / 2);
    await readViews(connection, source, views.slice(0, half), found);
    await readViews(connection, source, views.slice(half), found);
  }
}

/** Longest parsed query of a view, in bytes. */
export const maxTree = 2_000_000;

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
    const read = inputs.get(relation.oid) ?? [];
    return [[relation.oid, { catrn, columns, definition, inputs: read, traced }]];
  });
  const index = await columnIndex(connection, facts.map(([, one]) => one));
  return new Map(facts.map(([oid, view]) => [oid, viewTransformer(source, view, index)]));
}

async function columnIndex(
  connection: SourceConnection,
  views: ViewFacts[],
): Promise<ColumnIndex> {
  const origins = views.flatMap(({ traced }) =>
    traced ? [traced.conditions, ...traced.columns.map((column) => column.origins)].flat() : []
  );
  const oids = new Set(origins.map(({ relation }) => relation));
  if (oids.size === 0) return new Map();
  const rows = await connection.query<queries.NamedColumn>(queries.columnNames, [[...oids]]);
  return new Map(rows.map((row) => [`${row.relation}.${row.number}`, row]));
}

function findingsOf(source: string, facts: RelationFacts, views: PageViews): Finding[] {
  const { relation, columns } = facts;
  const view = views.get(relation.oid);
  if (view instanceof SourceError) {
    return [problemFinding(plainName(relation), view, relationCatrn(source, relation))];
  }
  // It was dropped meanwhile.
  if (isView(relation) ? !view : columns.length === 0 && relation.kind === "f") return [];
  return [relationItem(source, facts, view), ...foreignKeyItems(source, facts)]
    .map((item) => ({ kind: "item", item }));
}
