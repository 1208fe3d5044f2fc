import type { MysqlSettings } from "#contract/connections/mysql.ts";
import { type Finding, isIncluded, type Session, type Transformer } from "../../connector.ts";
import { openConnection, type SourceConnection } from "./connect.ts";
import {
  foreignKeyItems,
  pairsIn,
  plainName,
  relationCatrn,
  type RelationFacts,
  relationItem,
  type RelationName,
} from "./items.ts";
import * as queries from "./queries.ts";

/** Reads a server: the names of all tables and views, then page by page what they are. */
export async function* readServer(session: Session<MysqlSettings>): AsyncGenerator<Finding> {
  const connection = await openConnection(session);
  try {
    const known = await relationsOf(connection);
    const wanted = [...known.values()].filter((one) =>
      isIncluded(plainName(one), session.settings)
    );
    for (const [database, relations] of Map.groupBy(wanted, ({ database }) => database)) {
      for (let at = 0; at < relations.length; at += queries.pageSize) {
        const page = relations.slice(at, at + queries.pageSize);
        yield* pageFindings(session.source, connection, database, page, known);
      }
    }
  } finally {
    await connection.close();
  }
}

async function relationsOf(connection: SourceConnection): Promise<KnownRelations> {
  const known = new Map<string, RelationName>();
  for (const { name: database } of await connection.query<queries.DatabaseRow>(queries.databases)) {
    const names = await connection.query<queries.NameRow>(queries.relationNames, [database]);
    for (const { name, isView } of names) {
      known.set(plainName({ database, name }), { database, name, isView: Boolean(isView) });
    }
  }
  return known;
}

async function* pageFindings(
  source: string,
  connection: SourceConnection,
  database: string,
  page: RelationName[],
  known: KnownRelations,
): AsyncGenerator<Finding> {
  const definitions = new Map<string, string>();
  const facts = await factsOf(connection, database, page);
  const views = page.filter(({ isView }) => isView);
  if (views.length > 0) {
    const rows = await connection.query<queries.ViewRow>(queries.views, valuesOf(database, views));
    for (const { name, sql_text } of rows) definitions.set(name, sql_text ?? "");
  }
  for (const one of facts) yield* findingsOf(source, one, definitions, known);
}

async function factsOf(
  connection: SourceConnection,
  database: string,
  page: RelationName[],
): Promise<RelationFacts[]> {
  const values = valuesOf(database, page);
  const tables = await connection.query<queries.TableRow>(queries.tables, values);
  const columns = await connection.query<queries.ColumnRow>(queries.columns, values);
  const keys = await connection.query<queries.KeyRow>(queries.keys, values);
  const byName = new Map(tables.map((table) => [table.name, table]));
  const columnsOf = Map.groupBy(columns, ({ relation }) => relation);
  const keysOf = Map.groupBy(keys, ({ relation }) => relation);
  return page.flatMap((relation): RelationFacts[] => {
    const table = byName.get(relation.name);
    // It was dropped meanwhile.
    if (!table) return [];
    const { name } = relation;
    return [{ relation, table, columns: columnsOf.get(name) ?? [], keys: keysOf.get(name) ?? [] }];
  });
}

/** The values of a query for a page; the last name fills up what is missing. */
function valuesOf(database: string, page: RelationName[]): string[] {
  const names = page.map(({ name }) => name);
  const last = names.at(-1)!;
  return [database, ...names, ...Array<string>(queries.pageSize - names.length).fill(last)];
}

function* findingsOf(
  source: string,
  facts: RelationFacts,
  definitions: ReadonlyMap<string, string>,
  known: KnownRelations,
): Generator<Finding> {
  const { relation, columns } = facts;
  const sql = definitions.get(relation.name) ?? "";
  if (relation.isView && (sql === "" || columns.length === 0)) {
    const [reason, remedy] = sql === ""
      ? ["the user may not see its definition", "Grant the user SHOW VIEW on it"]
      : ["it is not valid", "Check that all it reads is there, and that its definer may read it"];
    const problem = { object: plainName(relation), reason, remedy };
    yield { kind: "problem", problem, catrn: relationCatrn(source, relation) };
    return;
  }
  const view = relation.isView ? viewTransformer(source, sql, known) : undefined;
  yield { kind: "item", item: relationItem(source, facts, view) };
  for (const item of foreignKeyItems(source, facts)) yield { kind: "item", item };
}

/** Longest SQL of a view that is shown, in characters. */
export const maxSql = 100_000;

/** Tables and views of a server by `database.name`. */
type KnownRelations = ReadonlyMap<string, RelationName>;

/**
 * What a view reads. The server keeps its query with every name qualified and quoted, so that tables are found without a
 * parser; `lineage.columns.from-sql` reads its columns from the SQL.
 */
function viewTransformer(source: string, sql: string, known: KnownRelations): Transformer {
  const inputs = new Set<string>();
  for (const [database, name] of pairsIn(sql)) {
    const relation = known.get(plainName({ database, name }));
    if (relation) inputs.add(relationCatrn(source, relation));
  }
  return { inputs: [...inputs].sort(), outputs: [], sql: sql.slice(0, maxSql) };
}
