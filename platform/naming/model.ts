import { cutTo, escaped } from "#platform/naming/text.ts";

/** A dataset or a job as OpenLineage names it. */
export interface NameRef {
  namespace: string;
  name: string;
}

/** The kind of a dataset, as far as its namespace shows. */
export type DatasetKind = "TABLE" | "KAFKA_TOPIC" | "FILE";

/**
 * What is not certain about a name:
 * - `ambiguous`: several catalogued datasets may be meant, so none of them was taken;
 * - `incomplete`: the name lacks its database, project or account, and no catalogued dataset provides it;
 * - `malformed`: the namespace is known, but the name does not have its form.
 */
export type NamingWarning = "ambiguous" | "incomplete" | "malformed";

/**
 * How a name was resolved:
 * - `exact`: a collector holds the CATRN that the rule gives;
 * - `loose`: a collector holds exactly one that differs from it by no more than spelling;
 * - `template`: the CATRN of the rule, which no collector holds;
 * - `generic`: no rule knows the name, or not enough of it.
 */
export type Match = "exact" | "loose" | "template" | "generic";

/** A name and the CATRN under which the catalogue knows what it names. */
export interface ResolvedName {
  catrn: string;
  /** Name of the rule that was used: `postgresql`, `s3`, …, `configured`, `catrn` or `generic`. */
  rule: string;
  kind: DatasetKind;
  match: Match;
  warnings: NamingWarning[];
  /** Whether something that is not of OpenLineage holds the CATRN as more than a name, and is live. */
  catalogued: boolean;
}

/** One segment of a CATRN that is looked for. */
export interface CandidateSegment {
  /** As its rule writes it; null when it is unknown and any value matches. */
  text: string | null;
  /** Other texts that may stand there, to be looked up. */
  others?: string[];
  /** Whether it is a name, which may stand there in another letter case. */
  name?: boolean;
  /** `text` is a guess: where it is not found, any will do. */
  guessed?: boolean;
  /** Whether a text of the catalogue's means the same; by default one that differs in letter case only. */
  fits?(text: string): boolean;
  /** Of several matches, these are preferred: those of the given port. */
  prefers?(text: string): boolean;
}

/** A CATRN that is looked for, and what else it may be. */
export interface CandidateName {
  /** The CATRN by the rule. */
  exact: string;
  /** First segments of data sources under which it may stand, lower-case. */
  systems: string[];
  /** What may follow its `//`: the segments of the rule, and those of other forms that collectors write. */
  forms: CandidateSegment[][];
}

/** Where a form may begin: a CATRN above it, as segments; none for what the rule itself gives. */
export interface Root {
  form: CandidateSegment[];
  above: string[];
}

/** The segments of a CATRN; a slash within one is two backslashes, so that it does not separate segments. */
export function segmentsOf(catrn: string): string[] {
  return catrn.slice(2).split("/");
}

/** Whether a text of the catalogue may stand for the segment. */
export function fits(segment: CandidateSegment, text: string): boolean {
  if (segment.fits) return segment.fits(text);
  return segment.text === null || segment.guessed === true ||
    segment.text.toLowerCase() === text.toLowerCase() ||
    segment.others?.some((one) => one.toLowerCase() === text.toLowerCase()) === true;
}

/** Whether a CATRN of these segments stands above one of such a form. */
export function leadsTo(form: CandidateSegment[], segments: string[]): boolean {
  return segments.length < form.length && segments.every((text, at) => fits(form[at]!, text));
}

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

/** A segment of a rule that is always the same. */
export const fixed = (text: string): CandidateSegment => ({
  text,
  fits: (other) => other === text,
});
/** A name, in any letter case. */
export const named = (text: string): CandidateSegment => ({ text: escaped(text), name: true });
/** Any text. */
export const unknown: CandidateSegment = { text: null };
/** A segment that the rule fills in where no catalogued dataset provides another. */
export const assumed = (text: string): CandidateSegment => ({ text: escaped(text), guessed: true });

/** The segment of tables, under which views stand as well. */
export const tables: CandidateSegment = { text: "tables", others: ["views"] };

/**
 * A candidate of segments; `forms` are others in which collectors write them. Without a text for each segment it has no
 * CATRN of its own: it is what the catalogue holds, or nothing that a rule knows.
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
