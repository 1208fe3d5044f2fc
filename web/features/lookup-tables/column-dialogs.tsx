import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { read, send } from "#web/api/client.ts";
import { messageOf } from "#web/api/errors.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import {
  type ColumnDraft,
  columnForm,
  ColumnGrid,
  draftOfColumn,
  type GridColumn,
  isSameDraft,
} from "#web/features/lookup-tables/column-grid.tsx";
import {
  type Column,
  columnTypeOptions,
  exampleOf,
  type LookupTable,
} from "#web/features/lookup-tables/tables.ts";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SelectField, TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** Edits a column as it is now. */
export function EditColumn(
  { table, id, onClose }: { table: LookupTable; id: number; onClose: () => void },
) {
  const { data } = useQuery({
    ...read("/api/referencedata/table/{lookup_table_id}/columns/{column_id}", {
      path: { lookup_table_id: table.table_id, column_id: id },
    }),
    placeholderData: undefined,
    staleTime: 0,
  });
  return data ? <ColumnDialog table={table} given={data} onClose={onClose} /> : null;
}

/** A new column, or one that is edited: its type stays then. */
export function ColumnDialog(
  { table, given, onClose }: { table: LookupTable; given?: Column; onClose: () => void },
) {
  const [draft, setDraft] = useState(() => draftOfColumn(given));
  const form = useColumnForm(table, given, onClose);
  const put = (part: Partial<ColumnDraft>) => setDraft({ ...draft, ...part });
  const field = (name: "name" | "description" | "default_value") =>
    form.field(name, draft[name], (value) => put({ [name]: value }));
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
      <TextField label={t("kit.name")} autoFocus {...field("name")} />
      <SelectField
        label={t("kit.type")}
        value={draft.field_type}
        disabled={given !== undefined}
        hint={given && t("lookup-tables.theTypeOfAColumn")}
        options={columnTypeOptions()}
        error={form.errorOf("field_type")}
        onChange={({ target }) => put({ field_type: target.value as Column["field_type"] })}
      />
      <TextField label={t("kit.description")} {...field("description")} />
      <Rules
        draft={draft}
        put={put}
        refused={["is_nullable", "is_unique"].map(form.errorOf).filter(Boolean).join("; ")}
      />
      {!serial && (
        <TextField
          label={t("lookup-tables.default")}
          placeholder={exampleOf(draft.field_type)}
          {...field("default_value")}
        />
      )}
    </FormDialog>
  );
}

function useColumnForm(table: LookupTable, given: Column | undefined, onClose: () => void) {
  const changed = useTablesChanged();
  return useForm(async (draft: ColumnDraft) => {
    await saveColumn(table, draft, given?.field_id);
    await changed();
  }, onClose);
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

/** Changes a column, or adds one if no `id` is given. */
async function saveColumn(
  { table_id }: LookupTable,
  draft: ColumnDraft,
  id: number | undefined,
): Promise<void> {
  const path = { lookup_table_id: table_id };
  await (id === undefined
    ? send("post", "/api/referencedata/table/{lookup_table_id}/columns", {
      path,
      body: [{ ...columnForm(draft), field_type: draft.field_type }],
    })
    : send("patch", "/api/referencedata/table/{lookup_table_id}/columns/{column_id}", {
      path: { ...path, column_id: id },
      body: columnForm(draft),
    }));
}

interface EditedColumn extends ColumnDraft {
  /** As it is in the table; absent for a new one. */
  stored?: { id: number; draft: ColumnDraft };
}

/** All columns of a table at once: those that it has are changed, further ones added. */
export function ColumnsDialog({ table, onClose }: { table: LookupTable; onClose: () => void }) {
  const [columns, setColumns] = useState<EditedColumn[]>(() => editedColumns(table));
  const [failed, setFailed] = useState<{ at: number; message: string }>();
  const changed = useTablesChanged();
  const put = (at: number, part: Partial<ColumnDraft>) =>
    setColumns(columns.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const save = async () => {
    setFailed(undefined);
    for (const [at, { stored, ...draft }] of columns.entries()) {
      if (stored && isSameDraft(stored.draft, draft)) continue;
      await saveColumn(table, draft, stored?.id).catch((error) => {
        setFailed({ at, message: messageOf(error) });
        throw error;
      });
    }
    await changed();
  };
  const form = useForm(save, () => {
    onClose();
    toast(t("lookup-tables.columnsSaved"));
  });
  return (
    <FormDialog
      wide
      title={t("lookup-tables.columnsOf", { name: table.name ?? "" })}
      about={t("lookup-tables.theTypeOfAColumn2")}
      save={t("kit.save")}
      form={{ busy: form.busy, rest: () => [] }}
      disabled={columns.some(({ name }) => name.trim() === "")}
      onSave={() => form.submit(undefined)}
      onClose={onClose}
    >
      <ColumnGrid
        columns={columns.map(({ stored, ...draft }, at): GridColumn => ({
          ...draft,
          isStored: stored !== undefined,
          error: failed?.at === at ? failed.message : undefined,
        }))}
        onColumn={put}
      />
      <div>
        <Button small onClick={() => setColumns([...columns, draftOfColumn()])}>
          <Plus aria-hidden /> {t("lookup-tables.anotherColumn")}
        </Button>
      </div>
    </FormDialog>
  );
}

function editedColumns(table: LookupTable): EditedColumn[] {
  return table.fields.filter(({ is_primary_key }) => !is_primary_key).map((column) => {
    const draft = draftOfColumn(column);
    return { ...draft, stored: { id: column.field_id, draft } };
  });
}
