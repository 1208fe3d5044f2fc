import type { Schema } from "#web/api/client.ts";
import type { Column } from "#web/features/lookup-tables/tables.ts";

/** A column as it is being written. */
export interface ColumnDraft {
  name: string;
  description: string;
  field_type: Column["field_type"];
  is_nullable: boolean;
  is_unique: boolean;
  default_value: string;
}

/** The draft of a column as it is, or of a new one. */
export const draftOfColumn = (given?: Column): ColumnDraft => ({
  name: given?.name ?? "",
  description: given?.description ?? "",
  field_type: given?.field_type ?? "VARCHAR",
  is_nullable: given?.is_nullable ?? true,
  is_unique: given?.is_unique ?? false,
  default_value: given?.default_value ?? "",
});

/** What is sent of a draft, but for its type, which cannot change. */
export function columnForm(
  { field_type: _, ...draft }: ColumnDraft,
): Schema<"LookupTableFieldUpdateFormData"> {
  return {
    ...draft,
    description: draft.description.trim() || null,
    default_value: draft.default_value.trim() === "" ? null : draft.default_value,
  };
}

export const sameDraft = (a: ColumnDraft, b: ColumnDraft): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
