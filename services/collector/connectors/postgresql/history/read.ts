import { createHash } from "node:crypto";
import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import {
  type Finding,
  isIncluded,
  type Item,
  type Session,
  type StatementCounter,
} from "../../../connector.ts";
import { concernsObject, type SourceConnection } from "../connect.ts";
import { isView, plainName, relationCatrn, type RelationName } from "../names.ts";
import { stateOf } from "./state.ts";
import {
  executed,
  maxStatement,
  normalised,
  RelationIndex,
  schemasOf,
  type StatementUse,
  useOf,
} from "./statement.ts";
import * as queries from "./queries.ts";

/** Statements of a page, and their characters: as many as are in memory. */
export const pageSize = 2_000;
export const pageCharacters = 1_000_000;

/** Statements that are read without a pause for others. */
const together = 100;

/** Statements of one server that are read; `pg_stat_statements.max` is 5,000 unless somebody raised it. */
export const maxStatements = 50_000;

/** Statements that become assets. */
export const maxJobs = 2_000;

/** Roles whose names are stored. */
export const maxRoles = 100;

/** Reads the query history where the server has one; what is wrong with it costs nothing else. */
export async function* readHistory(
  connection: SourceConnection,
  session: Session<PostgresqlSettings>,
): AsyncGenerator<Finding> {
  if (session.settings.query_history === "off") return;
  const { facts, note } = await stateOf(connection);
  if (!facts) return yield { kind: "note", note };
  try {
    yield* new HistoryReader(connection, session, facts).read();
  } catch (error) {
    if (!(error instanceof SourceError) || !concernsObject(error)) throw error;
    yield { kind: "note", note: failed(error) };
  }
}

const failed = ({ reason, remedy }: SourceError): ConnectionCheck => ({
  name: "Query history",
  outcome: "WARNING",
  detail: `It could not be read to its end: ${reason}`,
  remedy,
});

interface Roles {
  /** Where each looks for tables, by its oid. */
  schemas: Map<string, string[]>;
  names: Map<string, string>;
}

class HistoryReader {
  readonly #jobs = new Set<string>();
  readonly #counts = { read: 0, used: 0, missing: 0, unknown: 0, tooLong: 0, leftOut: 0 };
  #standardPath: string | null = null;
  #named = new Set<string>();

  constructor(
    private readonly connection: SourceConnection,
    private readonly session: Session<PostgresqlSettings>,
    private readonly facts: queries.HistoryFacts,
  ) {}

  async *read(): AsyncGenerator<Finding> {
    await this.#prepare();
    let last: queries.StatementRow | undefined;
    let isComplete = false;
    while (!isComplete && this.#counts.read < maxStatements) {
      const [rows, findings] = await this.#page(last);
      yield* findings;
      last = rows.at(-1);
      isComplete = last === undefined;
    }
    yield { kind: "usage", counters: [], end: { isComplete } };
    yield { kind: "note", note: this.#summary() };
  }

  async #prepare(): Promise<void> {
    const { connection, facts } = this;
    const [standard, busiest] = await connection.reading(async () => [
      await connection.query<{ path: string | null }>(queries.standardPath),
      this.session.settings.query_history === "with-roles"
        ? await connection.query<{ role: string }>(queries.busiestRoles(facts), [maxRoles])
        : [],
    ]);
    this.#standardPath = standard![0]?.path ?? null;
    this.#named = new Set((busiest as { role: string }[]).map(({ role }) => role));
  }

  async #page(
    last: queries.StatementRow | undefined,
  ): Promise<[queries.StatementRow[], Finding[]]> {
    const { connection, facts } = this;
    // The smallest of all ids, which are signed.
    const after = last ? [last.id, last.role, last.top] : ["-9223372036854775808", "0", false];
    const given = [...after, pageSize, maxStatement + 1, pageCharacters];
    return await connection.reading(async () => {
      const rows = await connection.query<queries.StatementRow>(queries.statements(facts), given);
      if (rows.length === 0) return [[], []];
      const statements = await understood(rows);
      const roles = await this.#rolesOf(rows);
      const index = await this.#indexOf(statements.map(({ use }) => use));
      const findings = statements.map((one) => this.#findings(one, roles, index));
      const counters = findings.map(({ counter }) => counter);
      const jobs = findings.flatMap(({ job }) => job);
      return [rows, [...jobs, { kind: "usage", counters }]];
    });
  }

  async #rolesOf(rows: queries.StatementRow[]): Promise<Roles> {
    const oids = [...new Set(rows.map(({ role }) => role))];
    const found = oids.length === 0
      ? []
      : await this.connection.query<queries.RolePath>(queries.rolePaths, [oids]);
    return {
      schemas: new Map(found.map((one) => [one.role, schemasOf(one, this.#standardPath)])),
      names: new Map(found.map(({ role, name }) => [role, name])),
    };
  }

  async #indexOf(uses: StatementUse[]): Promise<RelationIndex> {
    const names = new Set(
      uses.flatMap((use) =>
        use.kind === "data" ? [...use.reads, ...use.writes].flatMap((parts) => parts.slice(-1)) : []
      ),
    );
    const found = names.size === 0
      ? []
      : await this.connection.query<queries.NamedRelation>(queries.namedRelations, [[...names]]);
    return new RelationIndex(found, this.session.settings.database);
  }

  #findings(
    { row, sql, use }: { row: queries.StatementRow; sql: string; use: StatementUse },
    roles: Roles,
    index: RelationIndex,
  ): { counter: StatementCounter; job: Finding[] } {
    const counts = this.#counts;
    counts.read++;
    if (use.kind === "unknown") counts.unknown++;
    const schemas = roles.schemas.get(row.role) ?? [];
    const find = (parts: string[]) => index.find(parts, schemas) ?? [];
    const reads = use.kind === "data" ? use.reads.flatMap(find) : [];
    const writes = use.kind === "data" ? use.writes.flatMap(find) : [];
    if (use.kind === "data") this.#count(use, reads, writes);
    const isCut = row.text.length > maxStatement;
    const isJob = use.kind === "data" && !(use.creates && writes.some(isView));
    return {
      counter: this.#counter(row, reads, roles),
      job: isJob ? this.#job({ sql, reads, writes, isCut }) : [],
    };
  }

  #count(
    { reads: given, writes: filled }: Extract<StatementUse, { kind: "data" }>,
    reads: RelationName[],
    writes: RelationName[],
  ): void {
    if (reads.length > 0) this.#counts.used++;
    if (reads.length < given.length || writes.length < filled.length) this.#counts.missing++;
  }

  #counter(row: queries.StatementRow, reads: RelationName[], roles: Roles): StatementCounter {
    const { settings, source } = this.session;
    const wanted = reads.filter((one) => isIncluded(plainName(one), settings));
    return {
      key: `${row.id}/${row.role}/${row.top ? 1 : 0}`,
      calls: BigInt(row.calls),
      since: row.since,
      reads: [...new Set(wanted.map((one) => relationCatrn(source, one)))],
      role: this.#named.has(row.role) ? roles.names.get(row.role) ?? "" : "",
    };
  }

  /** A statement that fills tables of this connection from others. */
  #job(
    { sql, reads, writes, isCut }: {
      sql: string;
      reads: RelationName[];
      writes: RelationName[];
      isCut: boolean;
    },
  ): Finding[] {
    const { settings, source } = this.session;
    const outputs = distinct(writes.filter((one) => isIncluded(plainName(one), settings)));
    const filled = new Set(outputs.map(plainName));
    const inputs = distinct(reads).filter((one) => !filled.has(plainName(one)));
    if (inputs.length === 0 || outputs.length === 0) return [];
    if (isCut) this.#counts.tooLong++;
    if (isCut) return [];
    const item = jobItem(source, { sql, inputs, outputs });
    if (this.#jobs.has(item.catrn)) return [];
    if (this.#jobs.size >= maxJobs) this.#counts.leftOut++;
    if (this.#jobs.size >= maxJobs) return [];
    this.#jobs.add(item.catrn);
    return [{ kind: "item", item, retainDays }];
  }

  #summary(): ConnectionCheck {
    const { read, used, missing, unknown, tooLong, leftOut } = this.#counts;
    const rest = [
      [missing, "name tables that are not there"],
      [unknown, "are not understood"],
      [tooLong, `are longer than ${maxStatement} characters`],
      [leftOut, `are left out beyond ${maxJobs} that fill tables`],
    ] as const;
    const parts = [
      `${read} statements`,
      `${used} read tables`,
      `${this.#jobs.size} fill tables from others`,
      ...rest.flatMap(([count, text]) => count > 0 ? [`${count} ${text}`] : []),
    ];
    return { name: "Query history", outcome: "OK", detail: parts.join(", ") };
  }
}

/** Statements as they are stored, and what they do. */
async function understood(rows: queries.StatementRow[]) {
  const statements: { row: queries.StatementRow; sql: string; use: StatementUse }[] = [];
  for (const [at, row] of rows.entries()) {
    const sql = executed(normalised(row.text));
    statements.push({ row, sql, use: useOf(sql) });
    if (at % together === together - 1) await new Promise((done) => setTimeout(done));
  }
  return statements;
}

const distinct = (relations: RelationName[]): RelationName[] => [
  ...new Map(relations.map((one) => [plainName(one), one])).values(),
];

/** Days after which a statement that the server no longer lists counts as gone: its list is short, and can be reset. */
const retainDays = 30;

/** A statement that fills tables from others. */
interface FillingStatement {
  sql: string;
  inputs: RelationName[];
  outputs: RelationName[];
}

/** The entity of a statement, the same for all roles that run it. */
function jobItem(source: string, { sql, inputs, outputs }: FillingStatement): Item {
  const [from, to] = [inputs, outputs].map((some) => some.map((one) => relationCatrn(source, one)));
  const id = createHash("sha256").update(JSON.stringify([sql, from, to])).digest("hex").slice(
    0,
    16,
  );
  return {
    catrn: `${source}/statements/${id}`,
    name: `${verbOf(sql)} ${outputs.map(plainName).join(", ")}`,
    type: "JOB",
    description: "A statement of the query history, as pg_stat_statements lists it",
    data_transformer: { inputs: from!, outputs: to!, sql },
  };
}

function verbOf(sql: string): string {
  if (/^CREATE\b/i.test(sql)) return "CREATE TABLE";
  if (/\bMERGE\s+INTO\b/i.test(sql)) return "MERGE INTO";
  return /^UPDATE\b/i.test(sql) ? "UPDATE" : "INSERT INTO";
}
