import { type DataTarget, maxTargetsPerSpan } from "#contract/traces.ts";
import type { Attributes } from "../otlp/decoding.ts";
import { tablesOf, type TableUse as NamedTable } from "#platform/sql/tables.ts";
import { clean, hostAndPort, list, maxRaw, raw, text } from "./attributes.ts";
import { addressOf, hostOf } from "./calls.ts";

type TableUse = Pick<NamedTable, "table" | "access">;

/** Systems whose statements are not SQL; whether they read or write follows from the operation. */
const notSql =
  /redis|valkey|mongo|elasticsearch|opensearch|memcached|couchdb|neo4j|dynamo|hbase|cosmos|geode|influx/;

/** First words of operations and commands that change something; everything else is a read. */
const writes = new RegExp(
  "^(insert|update|upsert|delete|merge|replace|truncate|create|alter|drop|copy_?from|bulk|put|write|" +
    "batchwrite|transactwrite|findandmodify|findone(and|_and)|find_and_modify|rename|index|save|remove|" +
    "set|get(set|del)|m?hset|mset|hm?set|hdel|hincr|del|unlink|append|incr|decr|expire|pexpire|persist|" +
    "[lr]push|[lr]pop|l(rem|set|trim|insert)|sadd|srem|spop|smove|zadd|zrem|zincr|zpop|xadd|xdel|xtrim|" +
    "flush|publish|geoadd|pfadd|setex|setnx|add|cas|prepend|touch)",
  "i",
);

/** Whether the name of an operation or command (`SELECT`, `HSET`, `findAndModify`) means a change. */
function accessOf(operation: string | null): DataTarget["access"] {
  return operation !== null && writes.test(operation) ? "write" : "read";
}

/** The tables and collections that a client's span touches; empty when it touches no database. */
export function databaseTargets(attributes: Attributes): DataTarget[] {
  const s3 = bucketOf(attributes);
  if (s3) return [s3];
  const system = text(attributes, "db.system.name", "db.system")?.toLowerCase() ??
    (attributes["aws.dynamodb.table_names"] === undefined ? null : "dynamodb");
  if (system === null) return [];
  const named = namespaceOf(attributes, system);
  const place = { kind: "database", system, address: databaseAddress(attributes) } as const;
  const uses = usesOf(attributes, system).slice(0, maxTargetsPerSpan);
  if (uses.length === 0) {
    const access = accessOf(operationOf(attributes));
    return [{ ...place, database: named.database, target: null, access }];
  }
  return uses.map(({ table, access }) => ({
    ...place,
    database: named.database,
    target: qualified(clean(table), named.schema),
    access,
  }));
}

function bucketOf(attributes: Attributes): DataTarget | null {
  const target = text(attributes, "aws.s3.bucket");
  if (target === null) return null;
  const method = text(attributes, "rpc.method")?.split("/").at(-1) ?? "";
  const access = /^(Put|Delete|Copy|Upload|Create|Complete|Restore)/.test(method)
    ? "write"
    : "read";
  return { kind: "database", system: "s3", address: null, database: null, target, access };
}

/** By the conventions of PostgreSQL a namespace may be `database|schema`. */
function namespaceOf(attributes: Attributes, system: string) {
  const name = text(
    attributes,
    "db.namespace",
    "db.name",
    "db.cassandra.keyspace",
    "db.redis.database_index",
  );
  if (name === null || system !== "postgresql") return { database: name, schema: null };
  const [database, schema] = name.split("|", 2);
  return { database: database || null, schema: schema || null };
}

function qualified(table: string, schema: string | null): string {
  return schema === null || table.includes(".") ? table : `${schema}.${table}`;
}

function databaseAddress(attributes: Attributes): string | null {
  const known = addressOf(attributes);
  if (known !== null) return known;
  const connection = raw(attributes, "db.connection_string");
  const host = connection === null ? null : hostOf(connection);
  return host === null ? null : hostAndPort(host.split(":")[0]!, host.split(":")[1] ?? null);
}

const collections = [
  "db.collection.name",
  "db.sql.table",
  "db.mongodb.collection",
  "db.cassandra.table",
  "db.cosmosdb.container",
  "elasticsearch.request.index",
] as const;

/**
 * The statement is the best source: every table, and which of them it writes. Without one that names a table
 * it is the collection with the operation, then the summary.
 */
function usesOf(attributes: Attributes, system: string): TableUse[] {
  const statement = notSql.test(system) ? null : raw(attributes, "db.query.text", "db.statement");
  if (statement !== null) {
    const parsed = remembered(statement, system);
    if (parsed.length > 0) return parsed;
  }
  const access = accessOf(operationOf(attributes));
  const collection = text(attributes, ...collections);
  if (collection !== null) return [{ table: folded(collection, system), access }];
  const tables = list(attributes, "aws.dynamodb.table_names");
  if (tables.length > 0) return tables.map((table) => ({ table, access }));
  const summary = notSql.test(system) ? null : raw(attributes, "db.query.summary");
  return summary === null ? [] : summarized(summary, system);
}

/** The given operation, else the first word of the statement or command. */
function operationOf(attributes: Attributes): string | null {
  return text(attributes, "db.operation.name", "db.operation") ??
    raw(attributes, "db.query.text", "db.statement")?.trimStart().split(/\s/, 1)[0] ?? null;
}

/** PostgreSQL folds names without quotes; conventions do not say which had any. */
function folded(table: string, system: string): string {
  return system === "postgresql" ? table.toLowerCase() : table;
}

/** `INSERT orders SELECT carts`: operations, each followed by its tables. */
function summarized(summary: string, system: string): TableUse[] {
  const uses: TableUse[] = [];
  let access: TableUse["access"] | null = null;
  for (const word of summary.slice(0, 256).split(/\s+/)) {
    if (/^(SELECT|INSERT|UPDATE|DELETE|MERGE|REPLACE|TRUNCATE|UPSERT)$/i.test(word)) {
      access = accessOf(word);
    } else if (access !== null && /^[\w."`]+$/.test(word)) {
      uses.push({ table: folded(word.replace(/["`]/g, ""), system), access });
    }
  }
  return uses;
}

/** Statements parsed lately. Those with literals in them are new each time, so it is emptied when full. */
const lately = new Map<string, TableUse[]>();
const maxLately = 1_000;
/** Longer ones are not worth their memory. */
const maxRemembered = 2_000;

function remembered(statement: string, system: string): TableUse[] {
  const key = `${system} ${statement}`;
  const known = lately.get(key);
  if (known) return known;
  const uses = tablesOf(statement, maxRaw).map(({ table, access }) => ({
    table: folded(table, system),
    access,
  }));
  const distinct = [...new Map(uses.map((use) => [`${use.access} ${use.table}`, use])).values()];
  if (key.length <= maxRemembered) {
    if (lately.size >= maxLately) lately.clear();
    lately.set(key, distinct);
  }
  return distinct;
}
