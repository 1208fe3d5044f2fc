import { maxColumnBytes } from "#contract/ingestion/limits.ts";
import { segmentsOf } from "#platform/naming/model.ts";
import { nameOfSegment, unescaped } from "#platform/naming/text.ts";
import type { SqlDataset } from "../model.ts";
import {
  Columns,
  constant,
  type Relation,
  type SourceColumn,
  unknownColumns,
  untraced,
  Uses,
  type Value,
} from "./columns.ts";
import { nameOf } from "./names.ts";

/** Finds the datasets that SQL names. */
export interface NamedDatasets {
  /** The one whose name ends like the parts of a table's name; undefined for none, or several. */
  find(segments: string[]): SqlDataset | undefined;
  /** Whether it is one of them. */
  has(dataset: SqlDataset): boolean;
}

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

  constructor(private readonly inputs: NamedDatasets, private readonly outputs: NamedDatasets) {}

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
      value = isColumnName(name)
        ? { origins: new Map([[source, 0]]), gap: null }
        : untraced("column");
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

/** Whether one name is the end of the other, or both are the same. */
function endsAlike(one: string[], other: string[]): boolean {
  const shorter = Math.min(one.length, other.length);
  const ends = [one, other].map((parts) => parts.slice(-shorter).join("\0").toLowerCase());
  return ends[0] === ends[1];
}

/** Whether a name can be that of a column. */
export function isColumnName(name: string): boolean {
  return name !== "" && !name.includes("\0") && name.isWellFormed() &&
    new TextEncoder().encode(name).length <= maxColumnBytes;
}

/**
 * Datasets by the ends of their names: `public.orders` is `…/schemas/public/tables/orders`. Letter case makes no
 * difference. A name with more segments than its dataset's is compared by the segments of both.
 */
export function namedDatasets(datasets: SqlDataset[]): NamedDatasets {
  const named = datasets.map((dataset) => ({ dataset, names: namesOf(dataset) }));
  const only = (matches: (name: string[]) => boolean) => {
    const found = named.filter(({ names }) => names.some(matches));
    return found.length === 1 ? found[0]!.dataset : found.length === 0 ? undefined : null;
  };
  const ids = new Set(datasets.map(({ id }) => id));
  return {
    has: ({ id }) => ids.has(id),
    find(segments) {
      const candidateNames = segments.map(folded);
      if (candidateNames.length === 0) return undefined;
      const whole = only((name) => endsWith(name, candidateNames));
      if (whole !== undefined) return whole ?? undefined;
      return only((name) => endsWith(candidateNames, name)) ?? undefined;
    },
  };
}

function endsWith(name: string[], end: string[]): boolean {
  const from = name.length - end.length;
  return end.length > 0 && from >= 0 && end.every((segment, at) => segment === name[from + at]);
}

/**
 * The names that a dataset may go by, each from the outside in: what follows the labels of its CATRN, all that
 * follows its system, and what it is called.
 */
function namesOf({ catrn, name }: SqlDataset): string[][] {
  const [, ...segments] = segmentsOf(catrn);
  const texts = segments.map((text) => folded(nameOfSegment(text) ?? unescaped(text)));
  const labelled = segments.length % 2 === 0 ? valuesOf(texts) : [];
  const called = name === null ? [] : name.split(".").map(folded);
  return [labelled, texts, called].filter((one) => one.length > 0);
}

/** The segment behind each label; Oracle's CATRNs have the schema before the database. */
function valuesOf(texts: string[]): string[] {
  const pairs = texts.flatMap((text, at) => at % 2 === 0 ? [[text, texts[at + 1]!] as const] : []);
  const [schemas, databases] = ["schemas", "databases"].map((label) =>
    pairs.findIndex(([one]) => one === label)
  ) as [number, number];
  if (schemas >= 0 && schemas < databases) {
    [pairs[schemas], pairs[databases]] = [pairs[databases]!, pairs[schemas]!];
  }
  return pairs.map(([, value]) => value);
}

const folded = (text: string) => text.toLowerCase();
