import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { listText } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.tsx";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import { draftOf, type LookupTable, type Row } from "#web/features/lookup-tables/tables.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { t } from "#web/messages/text.ts";

/** Where a row stands in the grid. */
export interface RowPosition {
  ref: (element: HTMLElement | null) => void;
  "data-index": number;
  style: { gridTemplateColumns: string; minWidth: string; top: number };
}

/** A row as it is; a double click on it edits it. */
export function GridRow(
  { place, table, row, rights, onEdit }: {
    place: RowPosition;
    table: LookupTable;
    row: Row;
    rights: { edit: boolean; delete: boolean };
    /** `field`: the column whose cell was clicked. */
    onEdit: (field?: number) => void;
  },
) {
  const cells = draftOf(row);
  return (
    <div
      {...place}
      role="row"
      className={styles.row}
      onDoubleClick={rights.edit ? ({ target }) => onEdit(columnOf(target)) : undefined}
    >
      {table.fields.map(({ field_id, is_primary_key: key }) => {
        const text = key ? String(row.row_id) : cells[field_id] ?? "";
        return (
          <div
            key={field_id}
            role="cell"
            data-field={field_id}
            className={key ? "truncate soft" : "truncate"}
          >
            <span title={text.slice(0, 1_000)}>{text.slice(0, 500)}</span>
          </div>
        );
      })}
      <div role="cell" className={styles.actions}>
        {rights.edit && (
          <IconButton
            small
            label={t("lookup-tables.editRow", { id: row.row_id })}
            onClick={() => onEdit()}
          >
            <Pencil />
          </IconButton>
        )}
        {rights.delete && <DeleteRow table={table} row={row} />}
      </div>
    </div>
  );
}

/** The column of the cell that an event comes from. */
function columnOf(target: EventTarget): number | undefined {
  const field = (target as Element).closest<HTMLElement>("[data-field]")?.dataset.field;
  return field === undefined ? undefined : Number(field);
}

function DeleteRow({ table, row }: { table: LookupTable; row: Row }) {
  const [isConfirming, setConfirming] = useState(false);
  const cells = row.items.map(({ value }) => value).filter(Boolean);
  const changed = useTablesChanged();
  const remove = async () => {
    await send("delete", "/api/referencedata/table/{lookup_table_id}/data/{row_id}", {
      params: { path: { lookup_table_id: table.table_id, row_id: row.row_id } },
    });
    toast(t("lookup-tables.rowIsDeleted", { id: row.row_id }));
    await changed();
  };
  return (
    <>
      <IconButton
        small
        label={t("lookup-tables.deleteRow", { id: row.row_id })}
        onClick={() => setConfirming(true)}
      >
        <Trash2 />
      </IconButton>
      <Confirm
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={t("lookup-tables.deleteRowQuestion", { id: row.row_id })}
        action={t("kit.delete")}
        onConfirm={remove}
      >
        <p className="foreign">
          {t("lookup-tables.rowGoes", { cells: listText(cells).slice(0, 300) })}
        </p>
      </Confirm>
    </>
  );
}
