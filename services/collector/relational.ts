import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { fieldTypes } from "#contract/entities.ts";
import { escaped } from "#platform/naming/text.ts";
import { failedCheck } from "./connector.ts";

/** The checks of a database: that it can be connected to, and what `checks` reads on the connection. */
export async function databaseChecks<C extends { close(): Promise<void> }>(
  { host, port }: { host: string; port: number },
  open: () => Promise<C>,
  checks: (connection: C) => Promise<ConnectionCheck[]>,
): Promise<ConnectionCheck[]> {
  let connection: C | undefined;
  const connect = { name: "Connect", outcome: "OK" as const, detail: `${host}:${port} answers` };
  try {
    connection = await open();
    return [connect, ...await checks(connection)];
  } catch (error) {
    const failed = failedCheck(connection ? "Read" : "Connect", error, "reason");
    return connection ? [connect, failed] : [failed];
  } finally {
    await connection?.close();
  }
}

/** CATRN of a column of a table or view. */
export function columnCatrn(relation: string, column: string): string {
  return `${relation}/columns/${escaped(column)}`;
}

/** One end of a foreign key, of columns of the table with this CATRN, which people call `name`. */
export function keyEnd(catrn: string, name: string, columns: string[]) {
  return { catrn, name, fields: columns.map((column) => columnCatrn(catrn, column)) };
}

type FieldType = (typeof fieldTypes)[number];

/** Types of fields by what names of SQL types begin with; the first that fits counts. */
const byName: [RegExp, FieldType][] = [
  [/^(array|list)\b|\[\]$/, "TYPE_LIST"],
  [/^(map)\b/, "TYPE_MAP"],
  [/^(struct|record|row|json|jsonb|variant|object|hstore|super)\b/, "TYPE_STRUCT"],
  [/^bool|^(bit|tinyint)\(1\)/, "TYPE_BOOLEAN"],
  [/^(tiny|small|medium|big|huge|u|ubig|usmall|utiny)?int(eger)?\d*\b/, "TYPE_INTEGER"],
  [/^(byteint|serial|bigserial|year|long|short)\b/, "TYPE_INTEGER"],
  [/^(decimal|numeric|number|bignumeric|float|double|real|money|dec)/, "TYPE_NUMBER"],
  [/^interval\b/, "TYPE_DURATION"],
  [/^(date|timestamp|datetime|smalldatetime)/, "TYPE_DATETIME"],
  [/^time/, "TYPE_TIME"],
  [/blob|binary|^(bytea|bytes|raw|image|bit)\b/, "TYPE_BINARY"],
  [/^(char|bpchar|nchar)\b/, "TYPE_CHAR"],
  [/^vector\b/, "TYPE_VECTOR"],
  [
    /char|text|string|clob|^(enum|set|uuid|uniqueidentifier|xml|inet|cidr|geography|geometry)\b/,
    "TYPE_STRING",
  ],
  [/^character/, "TYPE_STRING"],
];

/** The type of a field for the name of a type as systems with SQL write it: `decimal(10,2)`, `TIMESTAMP WITH TIME ZONE`. */
export function sqlFieldType(name: string): FieldType {
  const lower = name.trim().toLowerCase();
  return byName.find(([pattern]) => pattern.test(lower))?.[1] ?? "TYPE_UNKNOWN";
}
