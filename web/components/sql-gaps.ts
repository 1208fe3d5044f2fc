import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";

/** Something that the SQL of a job does and that could not be traced. */
export type SqlGap = Schema<"SqlLineageGap">;

/** Why it could not be traced. */
export const gapReasons: Record<SqlGap["reason"], string> = {
  syntax: "Not valid SQL for this system",
  statement: "Unsupported statement",
  target: "Writes to no output of the job",
  star: "* of columns that are not known",
  ambiguous: "Ambiguous table name",
  column: "No table has this column",
  undeclared: "Table is not an input of the job",
  structure: "Not in the schema of the target",
  position: "Number of columns differs from the target",
  unnamed: "Column without a name",
};

/** Where it stands in the text of the SQL; empty where that is not known. */
export function placeOf({ line, position }: SqlGap): string {
  return line == null ? "" : `Line ${line}, column ${position}`;
}

/**
 * How much of a job's SQL was not traced: "3 of 12 columns not traced". Gaps that name no column are counted apart,
 * since nobody knows for how many columns they stand.
 */
export function notTracedText(
  outputs: readonly Schema<"SqlLineageOutput">[],
  gaps: readonly SqlGap[],
): string {
  const sum = (of: (output: Schema<"SqlLineageOutput">) => number) =>
    outputs.reduce((total, output) => total + of(output), 0);
  const [columns, none, some] = [
    sum((output) => output.columns),
    sum((output) => output.not_traced),
    sum((output) => output.partly_traced),
  ];
  const others = gaps.filter(({ column }) => column == null).length;
  const ofAll = `of ${count(columns)} ${columns === 1 ? "column" : "columns"}`;
  return [
    ...(none > 0 ? [`${count(none)} ${ofAll} not traced`] : []),
    ...(some > 0 ? [`${count(some)} ${ofAll} traced in part`] : []),
    ...(others > 0 ? [`${count(others)} other ${others === 1 ? "part" : "parts"} not traced`] : []),
  ].join("; ");
}

/** What is not traced of one column, its name in any case; what names no column may be about any. */
export function gapsOf(gaps: readonly SqlGap[], path: string): SqlGap[] {
  const folded = path.toLowerCase();
  return gaps.filter(({ column }) => column == null || column.toLowerCase() === folded);
}
