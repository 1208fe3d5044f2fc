import type { DataSetField } from "#contract/ingestion/fields.ts";
import { canonical, sha256 } from "#kit/canonical.ts";
import type { EntityChange, RemovedField } from "../change-set.ts";

/** A field row of a dataset. */
export interface StoredField {
  id: number;
  hash: string;
}

/** The stored structure of one dataset. */
export interface StoredStructure {
  version: number;
  hash: string;
  /** Rows of the latest version, by CATRN. */
  fields: Map<string, StoredField>;
  /** Rows of older versions for posted fields that the latest one lacks. */
  earlier: Map<string, StoredField>;
}

/** What happens to one posted field. */
export interface FieldPlan {
  /** New rows get their id later. */
  id: number;
  datasetId: number;
  hash: string;
  field: DataSetField;
  /** Whether an earlier row is reused: that of the latest version, or of the one that had the field last. */
  isExisting: boolean;
  /** The earlier row with the same CATRN that a new row replaces. */
  predecessor: number | null;
}

/** What happens to one dataset; `version` is null when its structure is unchanged. */
export interface DatasetPlan {
  datasetId: number;
  version: number | null;
  hash: string;
  fields: FieldPlan[];
  /** Rows of the stored version that the new one lacks; their CATRNs may have new rows. */
  lost: RemovedField[];
}

/**
 * Compares a posted structure with the stored one by hash: of all fields for the dataset, and of
 * each field.
 */
export function planDataset(
  change: EntityChange,
  stored: StoredStructure | undefined,
): DatasetPlan {
  const posted = change.item.dataset!.field_list;
  const texts = posted.map(hashedText);
  const hash = texts.length === 0 ? "0" : sha256([...texts].sort().join("\n"));
  const fields = posted.map((field, ordinal): FieldPlan => {
    const own = sha256(texts[ordinal]!);
    const before = stored?.fields.get(field.catrn) ?? stored?.earlier.get(field.catrn);
    const isExisting = before?.hash === own;
    return {
      id: isExisting ? before.id : 0,
      datasetId: change.id,
      hash: own,
      field,
      isExisting,
      predecessor: before && !isExisting ? before.id : null,
    };
  });
  const version = stored?.hash === hash ? null : (stored?.version ?? 0) + 1;
  const lost = version !== null && stored ? lostOf(change.id, stored, fields) : [];
  return { datasetId: change.id, version, hash, fields, lost };
}

function lostOf(datasetId: number, stored: StoredStructure, fields: FieldPlan[]): RemovedField[] {
  const posted = new Map(fields.map((plan) => [plan.field.catrn, plan]));
  return [...stored.fields].flatMap(([catrn, { id }]) => {
    const plan = posted.get(catrn);
    return plan?.isExisting ? [] : [{ datasetId, fieldId: id, now: plan?.field ?? null }];
  });
}

/**
 * The text that identifies a field's structure; it excludes descriptions, sort keys, defaults and
 * statistics.
 */
function hashedText(field: DataSetField): string {
  const { catrn, name, parent_field_catrn, type, is_key, is_value, is_primary_key } = field;
  const { logical_type, is_nullable } = type;
  return canonical([
    catrn,
    name,
    parent_field_catrn ?? null,
    type.type,
    logical_type ?? null,
    is_nullable,
    is_key ?? false,
    is_value ?? false,
    is_primary_key ?? false,
  ]);
}
