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
