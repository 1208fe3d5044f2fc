import type { SqlDataset, SqlGap } from "../model.ts";
import { isQuery, type Node, ofKind, parsedText, segmentsOf } from "../parse/ast.ts";
import { type NamedDatasets as Datasets, Tables } from "../resolve/tables.ts";
import {
  type Column,
  Columns,
  type Gap,
  type GapReason,
  isKnown,
  union,
  unknownColumns,
  Uses,
} from "../resolve/columns.ts";
import { nameOf } from "../resolve/names.ts";
import { Queries } from "../resolve/queries.ts";
import { lineAndColumn, type SourceText } from "../text/source.ts";
import { type Filled, filledBy, type Filling, insertedToAll, mergedBy } from "./fillings.ts";
import { type Statement, type Target, targetOf } from "./statement.ts";

/** What was filled in an output. */
export interface OutputFilling {
  output: SqlDataset;
  filled: Filled[];
  uses: Uses;
}

/** Follows the statements of a text one after the other. */
export class Script {
  readonly fillings: OutputFilling[] = [];
  /** Statements that were not read. */
  readonly gaps: SqlGap[] = [];
  /** Whether a statement was understood that writes. */
  writes = false;
  readonly #tables: Tables;
  readonly #queries: Queries;
  readonly #alone: { into: Target; query: SourceText }[] = [];

  constructor(
    private readonly sql: string,
    dialect: string,
    private readonly inputs: Datasets,
    private readonly outputs: Datasets,
    private readonly onlyOutput: SqlDataset | undefined,
  ) {
    this.#tables = new Tables(inputs, outputs);
    this.#queries = new Queries(dialect, this.#tables);
  }

  take(statement: Statement, at: number): void {
    switch (statement.kind) {
      case "write":
        if (statement.into.name !== null) this.#write(statement.into, statement.query, at);
        else if (!this.#writeInto(statement.query)) this.#alone.push(statement);
        return;
      case "merge":
      case "insert_all":
        return this.#whole(statement, at);
      case "define":
        return this.#define(statement.into);
      case "declare":
        return this.#tables.declare(statement.variables);
      case "drop":
        return this.#tables.drop(statement.name);
      case "rename":
        return this.#rename(statement.name, statement.to);
      case "unread":
        if (statement.name) this.#forget(statement.name);
        this.#gap(statement.reason, at);
    }
  }

  /** A query alone counts where nothing else writes. */
  end(): void {
    const [first, ...more] = this.#alone;
    if (!first) return;
    if (this.writes) return;
    if (more.length > 0 || !this.onlyOutput) return this.#gap("target", first.query.originalOf(0));
    this.#write(first.into, first.query, first.query.originalOf(0));
  }

  #write(into: Target, query: SourceText, at: number): void {
    const parsed = this.#parse(query.text, into.name ?? undefined, at);
    if (!parsed) return;
    if (!isQuery(parsed)) {
      if (into.name) this.#forget(into.name);
      return this.#gap("syntax", at);
    }
    this.writes = true;
    this.#tables.changed = into.seesItself ? into.name : null;
    this.#fillBy(parsed, into, query);
  }

  #fillBy(parsed: Node, into: Target, query: SourceText): void {
    const { columns, uses } = this.#queries.relationOf(parsed, null, null);
    const filled = filledBy(into, columns, this.#fieldsOf(into.name), this.#queries.dialect);
    this.#fill({ name: into.name ?? [], filled, uses }, into, query);
  }

  /** `SELECT … INTO`; true when the query is one. */
  #writeInto(query: SourceText): boolean {
    if (!/\binto\b/i.test(query.text)) return false;
    const parsed = this.#parse(query.text, undefined, query.originalOf(0));
    const into = ofKind({ into: ofKind(parsed, "select")?.into }, "into");
    const table = ofKind(into?.this, "table");
    if (!parsed || !table) return false;
    const name = segmentsOf(table, this.#queries.dialect);
    this.writes = true;
    const temporary = name.at(-1)!.startsWith("#");
    this.#fillBy(parsed, targetOf(name, { creates: true, temporary }), query);
    return true;
  }

  #whole({ kind, text }: { kind: "merge" | "insert_all"; text: SourceText }, at: number): void {
    const parsed = this.#parse(text.text, undefined, at);
    if (!parsed) return;
    const body = ofKind(parsed, kind === "merge" ? "merge" : "multitable_inserts");
    const fieldsOf = (name: string[]) => this.#fieldsOf(name);
    const fillings = body && kind === "merge"
      ? [mergedBy(body, fieldsOf, this.#queries)]
      : body && insertedToAll(body, fieldsOf, this.#queries);
    if (!fillings || fillings.includes(undefined)) return this.#gap("statement", at);
    for (const filling of fillings) {
      // A MERGE that only deletes brings no values.
      if (filling!.filled.length === 0) continue;
      this.writes = true;
      this.#fill(filling!, undefined, text);
    }
  }

  #define({ name, columns, temporary }: Target): void {
    if (!name || (!temporary && (this.inputs.find(name) || this.outputs.find(name)))) return;
    const list = columns!.map((column) => ({ name: nameOf(column), value: union([]) }));
    this.#tables.make(name, new Columns(list), new Uses());
  }

  #rename(name: string[], to: string[]): void {
    const made = this.#tables.madeBefore(name);
    if (!made) return;
    this.#tables.drop(name);
    const filled = made.columns.list.map((one) =>
      isKnown(one)
        ? { name: one.name?.text ?? null, value: one.value }
        : { name: null, value: { ...one.made, gap: one.gap } }
    );
    this.#fill({ name: to, filled, uses: made.uses }, undefined, undefined);
  }

  #fill(
    { name, filled, uses }: Filling,
    into: Target | undefined,
    text: SourceText | undefined,
  ): void {
    const isOwn = into?.temporary === true || (into?.creates !== true && this.#isTemporary(name));
    const output = isOwn
      ? undefined
      : name.length === 0
      ? this.onlyOutput
      : this.outputs.find(name);
    if (name.length > 0 && (isOwn || !this.inputs.find(name))) {
      this.#remember(name, filled, uses, into);
    }
    if (!output) return;
    const placed = filled.map((one) => ({
      ...one,
      value: { ...one.value, gap: placedGap(one.value.gap, text) },
    }));
    this.fillings.push({ output, filled: placed, uses });
  }

  /** Whether a table was made that only the text itself knows. */
  #isTemporary(name: string[]): boolean {
    return this.#tables.madeBefore(name) !== undefined && !this.outputs.find(name);
  }

  /** What later statements find in a table. */
  #remember(name: string[], filled: Filled[], uses: Uses, into: Target | undefined): void {
    const before = into?.creates === true ? undefined : this.#tables.madeBefore(name);
    const all = new Uses();
    all.include(uses);
    if (before) all.include(before.uses);
    const added = new Map(
      filled.flatMap((one) => one.name === null ? [] : [[one.name.toLowerCase(), one]]),
    );
    const known = (before?.columns.list ?? []).map((one) => {
      const more = isKnown(one) && one.name ? added.get(one.name.lower) : undefined;
      if (!isKnown(one) || !more) return one;
      added.delete(one.name!.lower);
      return { ...one, value: union([one.value, more.value]) };
    });
    const own = filled.flatMap((one): Column[] => {
      if (one.name !== null && !added.has(one.name.toLowerCase())) return [];
      return one.name === null
        ? [unknownColumns({ gap: one.value.gap })]
        : [{ name: nameOf(one.name), value: one.value }];
    });
    this.#tables.make(name, new Columns([...known, ...own]), all);
  }

  /** A table whose columns nothing tells from here on. */
  #forget(name: string[]): void {
    if (name.length === 0 || this.inputs.find(name)) return;
    const columns = [unknownColumns({ gap: { reason: "syntax", at: undefined } })];
    this.#tables.make(name, new Columns(columns), new Uses());
  }

  #fieldsOf(name: string[] | null): readonly string[] {
    if (name === null) return this.onlyOutput?.fields ?? [];
    const made = this.#tables.madeBefore(name)?.columns.list ?? [];
    const output = this.outputs.find(name);
    if (output && output.fields.length > 0) return output.fields;
    return made.every(isKnown)
      ? made.flatMap((one) => isKnown(one) && one.name ? one.name.text : [])
      : [];
  }

  #parse(text: string, name: string[] | undefined, at: number): Node | undefined {
    const parsed = parsedText(text, this.#queries.dialect);
    if (parsed) return parsed;
    if (name) this.#forget(name);
    this.#gap("syntax", at);
    return undefined;
  }

  #gap(reason: GapReason, at: number): void {
    const { line, column } = lineAndColumn(this.sql, at);
    this.gaps.push({ dataset: undefined, column: undefined, reason, line, position: column });
  }
}

/** A gap where it stands in the original. */
function placedGap(gap: Gap | null, text: SourceText | undefined): Gap | null {
  if (!gap || gap.at === undefined || !text) return gap && { reason: gap.reason, at: undefined };
  return { reason: gap.reason, at: text.originalOf(gap.at) };
}
