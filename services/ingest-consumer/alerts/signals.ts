import type { DataSetField } from "#contract/ingestion/fields.ts";
import type { RunDraft } from "../part.ts";

/** A field row that the newest version of its dataset no longer holds. */
export interface LostField {
  datasetId: number;
  /** Id of the row. */
  fieldId: number;
  /** What took its place under its CATRN; null when nothing did. */
  now: DataSetField | null;
}

/** Something that a transformer or consumer named until now. */
export interface LostLink {
  entityId: number;
  kind: "source" | "target" | "input";
  catrn: string;
}

/** What the writes of a part found that may raise alerts. */
export interface AlertSignals {
  /** Runs that ended and are new, or ended otherwise than they were held. */
  runs: RunDraft[];
  fields: LostField[];
  links: LostLink[];
}

export function noSignals(): AlertSignals {
  return { runs: [], fields: [], links: [] };
}
