import { maxColumnBytes } from "#contract/ingestion/limits.ts";
import type { SqlDataset } from "../model.ts";
import type { Tables as Datasets } from "../parse/tables.ts";
import { Columns, type Relation, unknownColumns } from "./columns.ts";
import { nameOf } from "./names.ts";
import { constant, type SourceColumn, untraced, Uses, type Value } from "./value.ts";

interface CreatedTable {
  parts: string[];
  columns: Columns;
  uses: Uses;
}

/** What the tables of SQL are: those that the statements before have made, inputs, and outputs. */
export class Tables {
  readonly #columns = new Map<number, Map<string, Value>>();
  readonly #inputs = new Map<number, Columns>();
  readonly #variables = new Set<string>();
  /** The table that a statement changes and sees as it was before. */
  changed: string[] | null = null;
  #made: CreatedTable[] = [];

  constructor(private readonly inputs: Datasets, private readonly outputs: Datasets) {}

  /** The table that a name of some parts means. */
  relationOf(parts: string[]): Relation {
    const made = this.madeBefore(parts);
    if (made) return made;
    const output = this.outputs.find(parts);
    const isChanged = parts.join("\0") === this.changed?.join("\0") && output;
    const input = isChanged ? this.inputs.has(output) && output : this.inputs.find(parts);
    if (input) return { columns: this.#columnsOf(input), uses: new Uses() };
    const columns = output
      ? output.fields.length > 0
        ? output.fields.map((field) => ({ name: nameOf(field), value: constant }))
        : [unknownColumns({})]
      : [unknownColumns({ gap: { reason: "undeclared", at: undefined } })];
    return { columns: new Columns(columns), uses: new Uses() };
  }

  isInput(parts: string[]): boolean {
    return this.inputs.find(parts) !== undefined;
  }

  /** A column of an input as a value. */
  columnOf(dataset: SqlDataset, name: string): Value {
    let own = this.#columns.get(dataset.id);
    if (!own) this.#columns.set(dataset.id, own = new Map());
    const key = name.toLowerCase();
    let value = own.get(key);
    if (!value) {
      const source: SourceColumn = { dataset, path: name };
      value = fits(name) ? { origins: new Map([[source, 0]]), gap: null } : untraced("column");
      own.set(key, value);
    }
    return value;
  }

  /** A table that an earlier statement of the text has made. */
  madeBefore(parts: string[]): Relation | undefined {
    return this.#made.find((one) => endsAlike(one.parts, parts));
  }

  make(parts: string[], columns: Columns, uses: Uses): void {
    this.drop(parts);
    this.#made.push({ parts, columns, uses });
  }

  drop(parts: string[]): void {
    this.#made = this.#made.filter((one) => !endsAlike(one.parts, parts));
  }

  declare(variables: string[]): void {
    for (const name of variables) this.#variables.add(name);
  }

  isVariable(lower: string): boolean {
    return this.#variables.has(lower);
  }

  #columnsOf(dataset: SqlDataset): Columns {
    const known = this.#inputs.get(dataset.id);
    if (known) return known;
    const columns = new Columns(
      dataset.fields.length > 0
        ? dataset.fields.map((field) => ({
          name: nameOf(field),
          value: this.columnOf(dataset, field),
        }))
        : [unknownColumns({ dataset })],
    );
    this.#inputs.set(dataset.id, columns);
    return columns;
  }
}

function endsAlike(one: string[], other: string[]): boolean {
  const shorter = Math.min(one.length, other.length);
  const ends = [one, other].map((parts) => parts.slice(-shorter).join("\0").toLowerCase());
  return ends[0] === ends[1];
}

/** Whether a name can be that of a column. */
export function fits(name: string): boolean {
  return name !== "" && !name.includes("\0") && name.isWellFormed() &&
    new TextEncoder().encode(name).length <= maxColumnBytes;
}
