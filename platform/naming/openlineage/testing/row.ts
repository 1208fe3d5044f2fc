import type { DatasetKind } from "#platform/naming/openlineage/names.ts";

/** How the names of one system are written, and what they mean. */
export interface Row {
  rule: string;
  kind: DatasetKind;
  /** Namespace and name as OpenLineage prescribes them. */
  canonical: [string, string];
  catrn: string;
  /** Other spellings of the same. */
  variants: [string, string][];
  /** Invalid names. */
  malformed: string[];
  /** The CATRN does not contain the whole name. */
  oneWay?: boolean;
}
