import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

/** Something that the SQL of a job does and that could not be traced. */
export type SqlGap = Schema<"SqlLineageGap">;

/** Why it could not be traced. */
const gapReasons: Record<SqlGap["reason"], PlainKey> = {
  syntax: "components.gapSyntax",
  statement: "components.gapStatement",
  target: "components.gapTarget",
  star: "components.gapStar",
  ambiguous: "components.gapAmbiguous",
  column: "components.gapColumn",
  undeclared: "components.gapUndeclared",
  structure: "components.gapStructure",
  position: "components.gapPosition",
  unnamed: "components.gapUnnamed",
};

/** Why a gap could not be traced. */
export function reasonOf({ reason }: SqlGap): string {
  return t(gapReasons[reason]);
}

/** Where it stands in the text of the SQL; empty where that is not known. */
export function placeOf({ line, position }: SqlGap): string {
  return line == null ? "" : t("components.lineAndColumn", { line, column: position ?? 0 });
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
  return [
    ...(none > 0 ? [t("components.notTraced", { count: count(none), columns })] : []),
    ...(some > 0 ? [t("components.tracedInPart", { count: count(some), columns })] : []),
    ...(others > 0 ? [t("components.otherPartsNotTraced", { count: others })] : []),
  ].join("; ");
}

/** What is not traced of one column, its name in any case; what names no column may be about any. */
export function gapsOf(gaps: readonly SqlGap[], path: string): SqlGap[] {
  const folded = path.toLowerCase();
  return gaps.filter(({ column }) => column == null || column.toLowerCase() === folded);
}
