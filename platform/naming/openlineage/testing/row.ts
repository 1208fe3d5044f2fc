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
  /** Names that are none. */
  malformed: string[];
  /** The CATRN does not tell the whole name. */
  oneWay?: boolean;
}
