import { cutTo, escaped } from "#platform/naming/text.ts";
import type { CandidateName, CandidateSegment } from "#platform/naming/candidate-name.ts";
import type { DatasetKind, NamingWarning } from "./model.ts";

/** The result of a rule for a name, before the catalogue is queried. */
export interface Candidate {
  rule: string;
  kind: DatasetKind;
  /** CATRN of the rule; null when the name is incomplete. */
  catrn: string | null;
  /** What else of the catalogue may be meant. */
  candidateName: CandidateName;
  warnings: NamingWarning[];
}

/** Shorthands for the segments of rules. */
export const fixed = (text: string): CandidateSegment => ({
  text,
  fits: (other) => other === text,
});
export const named = (text: string): CandidateSegment => ({ text: escaped(text), name: true });
export const unknown: CandidateSegment = { text: null };
/** A segment that the rule fills in where no catalogued dataset provides another. */
export const assumed = (text: string): CandidateSegment => ({ text: escaped(text), guessed: true });

/** The segment of tables, under which views stand as well. */
export const tables: CandidateSegment = { text: "tables", others: ["views"] };

/**
 * A candidate of segments; `forms` are others in which collectors write them. Without a text for each of them it has no CATRN of its own: it is what the
 * catalogue holds, or nothing that a rule knows.
 */
export function candidate(
  rule: string,
  kind: DatasetKind,
  segments: CandidateSegment[],
  { warnings = [], forms = [] }: { warnings?: NamingWarning[]; forms?: CandidateSegment[][] } = {},
): Candidate {
  const system = segments[0]!.text!;
  const isComplete = segments.every(({ text }) => text !== null);
  const catrn = isComplete ? cutTo(`//${segments.map(({ text }) => text).join("/")}`) : null;
  const known = !isComplete && !warnings.includes("incomplete") ? ["incomplete" as const] : [];
  return {
    rule,
    kind,
    catrn,
    candidateName: { exact: catrn ?? "", systems: [system], forms: [segments, ...forms] },
    warnings: [...warnings, ...known],
  };
}
