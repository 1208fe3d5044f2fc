import type { DataSetField } from "#contract/ingestion/fields.ts";
import type { RunDraft } from "../chunk.ts";

/** A field row that the newest version of its dataset no longer has. */
export interface RemovedField {
  datasetId: number;
  /** Id of the row. */
  fieldId: number;
  /** The new field with the same CATRN; null when there is none. */
  now: DataSetField | null;
}

/** Something that a transformer or consumer named until this chunk, and no longer does. */
export interface RemovedLink {
  entityId: number;
  kind: "source" | "target" | "input";
  catrn: string;
}

/** Findings of a chunk's writes that may raise alerts. */
export interface AlertSignals {
  /** Finished runs that are new, or whose outcome changed. */
  runs: RunDraft[];
  fields: RemovedField[];
  links: RemovedLink[];
}

export function noSignals(): AlertSignals {
  return { runs: [], fields: [], links: [] };
}
