import { Plus } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { messagesByField } from "#web/api/errors.ts";
import { Button } from "#web/kit/button.tsx";
import { useForm } from "#web/kit/form.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { toast } from "#web/kit/toast.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import {
  type ColumnDraft,
  columnForm,
  draftOfColumn,
  sameDraft,
} from "#web/features/lookup-tables/column-draft.ts";
import { ColumnGrid, type GridColumn } from "#web/features/lookup-tables/column-grid.tsx";
import type { LookupTable } from "#web/features/lookup-tables/tables.ts";
import { t } from "#web/messages/text.ts";

interface EditedColumn extends ColumnDraft {
  /** As it is in the table; absent for a new one. */
  stored?: ColumnDraft & { id: number };
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
    for (const [at, column] of columns.entries()) {
      if (column.stored && sameDraft(column.stored, { ...column.stored, ...draftOf(column) })) {
        continue;
      }
      await saveColumn(table, column).catch((error) => {
        setFailed({ at, message: [...messagesByField(error).values()].join("; ") });
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
        columns={columns.map((column, at): GridColumn => ({
          ...draftOf(column),
          isStored: column.stored !== undefined,
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
    return { ...draft, stored: { ...draft, id: column.field_id } };
  });
}

function draftOf({ stored: _, ...draft }: EditedColumn): ColumnDraft {
  return draft;
}

async function saveColumn({ table_id }: LookupTable, column: EditedColumn): Promise<void> {
  const draft = draftOf(column);
  const path = { lookup_table_id: table_id };
  await (column.stored
    ? send("patch", "/api/referencedata/table/{lookup_table_id}/columns/{column_id}", {
      params: { path: { ...path, column_id: column.stored.id } },
      body: columnForm(draft),
    })
    : send("post", "/api/referencedata/table/{lookup_table_id}/columns", {
      params: { path },
      body: [{ ...columnForm(draft), field_type: draft.field_type }],
    }));
}
