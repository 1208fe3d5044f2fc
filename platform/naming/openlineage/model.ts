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
