import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, send } from "#web/api/client.ts";
import { Checkbox, SelectField, TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import {
  type ColumnDraft,
  columnForm,
  draftOfColumn,
} from "#web/features/lookup-tables/column-draft.ts";
import {
  type Column,
  columnTypeOptions,
  exampleOf,
  type LookupTable,
} from "#web/features/lookup-tables/tables.ts";
import { t } from "#web/messages/text.ts";

/** Edits a column as it is now. */
export function EditColumn(
  { table, id, onClose }: { table: LookupTable; id: number; onClose: () => void },
) {
  const { data } = useQuery({
    ...read("/api/referencedata/table/{lookup_table_id}/columns/{column_id}", {
      params: { path: { lookup_table_id: table.table_id, column_id: id } },
    }),
    placeholderData: undefined,
    staleTime: 0,
  });
  return data ? <ColumnDialog table={table} given={data} onClose={onClose} /> : null;
}

function useColumnForm(table: LookupTable, given: Column | undefined, onClose: () => void) {
  const changed = useTablesChanged();
  return useForm(async (draft: ColumnDraft) => {
    const body = columnForm(draft);
    const lookup_table_id = table.table_id;
    await (given
      ? send("patch", "/api/referencedata/table/{lookup_table_id}/columns/{column_id}", {
        params: { path: { lookup_table_id, column_id: given.field_id } },
        body,
      })
      : send("post", "/api/referencedata/table/{lookup_table_id}/columns", {
        params: { path: { lookup_table_id } },
        body: [{ ...body, field_type: draft.field_type }],
      }));
    await changed();
  }, onClose);
}

/** A new column, or one that is edited: its type stays then. */
export function ColumnDialog(
  { table, given, onClose }: { table: LookupTable; given?: Column; onClose: () => void },
) {
  const [draft, setDraft] = useState(() => draftOfColumn(given));
  const form = useColumnForm(table, given, onClose);
  const put = (part: Partial<ColumnDraft>) => setDraft({ ...draft, ...part });
  const error = (name: keyof ColumnDraft) => form.errorOf(name);
  const serial = draft.field_type === "SERIAL";
  return (
    <FormDialog
      title={given ? t("lookup-tables.editTheColumn") : t("lookup-tables.newColumn")}
      save={given ? t("kit.save") : t("kit.add")}
      form={form}
      disabled={draft.name.trim() === ""}
      onSave={() => form.submit(draft)}
      onClose={onClose}
    >
      <TextField
        label={t("kit.name")}
        autoFocus
        value={draft.name}
        error={error("name")}
        onChange={({ target }) => put({ name: target.value })}
      />
      <SelectField
        label={t("kit.type")}
        value={draft.field_type}
        disabled={given !== undefined}
        hint={given && t("lookup-tables.theTypeOfAColumn")}
        options={columnTypeOptions()}
        error={error("field_type")}
        onChange={({ target }) => put({ field_type: target.value as Column["field_type"] })}
      />
      <TextField
        label={t("kit.description")}
        value={draft.description}
        error={error("description")}
        onChange={({ target }) => put({ description: target.value })}
      />
      <Rules
        draft={draft}
        put={put}
        refused={[error("is_nullable"), error("is_unique")].filter(Boolean).join("; ")}
      />
      {!serial && (
        <TextField
          label={t("lookup-tables.default")}
          value={draft.default_value}
          placeholder={exampleOf(draft.field_type)}
          error={error("default_value")}
          onChange={({ target }) => put({ default_value: target.value })}
        />
      )}
    </FormDialog>
  );
}

function Rules(
  { draft, put, refused }: {
    draft: ColumnDraft;
    put: (part: Partial<ColumnDraft>) => void;
    refused: string;
  },
) {
  const serial = draft.field_type === "SERIAL";
  return (
    <div>
      <Checkbox
        label={t("lookup-tables.nullable")}
        checked={draft.is_nullable && !serial}
        disabled={serial}
        onChange={({ target }) => put({ is_nullable: target.checked })}
      />
      <Checkbox
        label={t("lookup-tables.unique")}
        checked={draft.is_unique}
        onChange={({ target }) => put({ is_unique: target.checked })}
      />
      {refused && <Note tone="bad">{refused}</Note>}
    </div>
  );
}
