import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { type Finding, isIncluded, type Session, type Transformer } from "../../connector.ts";
import { concernsObject, connected, type SourceConnection } from "./connect.ts";
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
  const pages = new PageReader(session);
  try {
    for (let page = await pages.next(); page !== null; page = await pages.next()) yield* page;
    yield* readHistory(await pages.connection, session);
  } finally {
    await pages.close();
  }
}

/** Keeps the connection open between pages, since a generator cannot yield from within `connected`. */
class PageReader {
  #last = 0;
  readonly connection: Promise<SourceConnection>;
  #release = () => {};
  #closed: Promise<void>;

  constructor(private readonly session: Session<PostgresqlSettings>) {
    const opened = Promise.withResolvers<SourceConnection>();
    const released = Promise.withResolvers<void>();
    this.#release = released.resolve;
    this.connection = opened.promise;
    this.#closed = connected(session, (connection) => {
      opened.resolve(connection);
      return released.promise;
    }).catch(opened.reject);
  }

  async next(): Promise<Finding[] | null> {
    const connection = await this.connection;
    const { settings, source } = this.session;
    const [found, facts] = await connection.reading(async () => {
      const found = await connection.query<queries.Relation>(
        queries.relations,
        [this.#last, pageSize],
      );
      const wanted = found.filter((one) => isIncluded(plainName(one), settings));
      return [found, wanted.length > 0 ? await factsOf(connection, wanted) : []] as const;
    });
    const last = found.at(-1);
    if (!last) return null;
    this.#last = last.oid;
    const views = await viewsOf(connection, source, facts);
    return facts.flatMap((one) => findingsOf(source, one, views));
  }

  async close(): Promise<void> {
    this.#release();
    await this.#closed;
  }
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

/** What is known of the views of a page, by oid; views that could not be read with the reason. */
interface PageViews {
  known: Map<number, Transformer>;
  broken: Map<number, SourceError>;
}

/** What the views of a page read and how their columns are made. A view that fails costs itself only. */
async function viewsOf(
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

function findingsOf(source: string, facts: RelationFacts, views: PageViews): Finding[] {
  const { relation, columns } = facts;
  const broken = views.broken.get(relation.oid);
  if (broken) {
    const { reason, remedy } = broken;
    const problem = { object: plainName(relation), reason, remedy };
    return [{ kind: "problem", problem, catrn: relationCatrn(source, relation) }];
  }
  const view = views.known.get(relation.oid);
  // It was dropped meanwhile.
  if (isView(relation) ? !view : columns.length === 0 && relation.kind === "f") return [];
  return [relationItem(source, facts, view), ...foreignKeyItems(source, facts)]
    .map((item) => ({ kind: "item", item }));
}
