import { Check, Pencil, Trash2, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { listText } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.ts";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";
import { classes } from "#web/kit/classes.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import {
  blankDraft,
  type Column,
  type Draft,
  draftOf,
  exampleOf,
  type LookupTable,
  type Row,
  rowForm,
} from "#web/features/lookup-tables/tables.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { t } from "#web/messages/text.ts";

/** Where a row stands in the grid. */
interface RowPosition {
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
      path: { lookup_table_id: table.table_id, row_id: row.row_id },
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

/** Sends a row: a new one where `row` is undefined. */
function useRowForm(table: LookupTable, row: Row | undefined, onDone: () => void) {
  const changed = useTablesChanged();
  const columns = table.fields.filter(({ is_primary_key }) => !is_primary_key);
  const form = useForm(async (draft: Draft) => {
    const sent = rowForm(columns, draft);
    const lookup_table_id = table.table_id;
    await (row
      ? send("patch", "/api/referencedata/table/{lookup_table_id}/data/{row_id}", {
        path: { lookup_table_id, row_id: row.row_id },
        body: sent,
      })
      : send("post", "/api/referencedata/table/{lookup_table_id}/data", {
        path: { lookup_table_id },
        body: [sent],
      }));
    await changed();
  }, onDone);
  const errorOf = (column: Column) =>
    form.errorOf(`items[${columns.indexOf(column)}].value`)?.replace(/^row 1: /, "");
  return { ...form, columns, errorOf };
}

/** A row that is being written: Enter saves, Escape leaves it as it was; errors stand beside their cells. */
export function RowEditor(
  { place, table, row, first, onDone }: {
    place: RowPosition;
    table: LookupTable;
    row: Row | undefined;
    /** Id of the column to begin with; the first one, if it is not given or cannot be written. */
    first?: number;
    onDone: () => void;
  },
) {
  const form = useRowForm(table, row, onDone);
  const [draft, setDraft] = useState(() => row ? draftOf(row) : blankDraft(form.columns));
  const start = form.columns.find(({ field_id }) => field_id === first) ?? form.columns[0];
  const keys = (event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.key !== "Enter" && event.key !== "Escape")) return;
    if (event.key === "Enter" && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") onDone();
    else if (!form.busy) form.submit(draft);
  };
  const cells = table.fields.map((column) => (
    <div key={column.field_id} role="cell">
      {column.is_primary_key
        ? <span className="soft">{row?.row_id ?? t("lookup-tables.new")}</span>
        : (
          <CellInput
            column={column}
            value={draft[column.field_id] ?? ""}
            error={form.errorOf(column)}
            autoFocus={column === start}
            onValue={(value) => setDraft({ ...draft, [column.field_id]: value })}
          />
        )}
    </div>
  ));
  const rest = form.rest().join("; ");
  return (
    <div {...place} role="row" className={classes(styles.row, styles.editing)} onKeyDown={keys}>
      {cells}
      <div role="cell" className={styles.actions}>
        <IconButton
          small
          variant="primary"
          label={t("lookup-tables.saveTheRow")}
          disabled={form.busy}
          onClick={() =>
            form.submit(draft)}
        >
          <Check />
        </IconButton>
        <IconButton small label={t("kit.cancel")} onClick={onDone}>
          <X />
        </IconButton>
        {rest && <Note tone="bad">{rest}</Note>}
      </div>
    </div>
  );
}

const booleans = [["", "–"], ["true", "true"], ["false", "false"]] as const;

function CellInput(
  { column, value, error, autoFocus, onValue }: {
    column: Column;
    value: string;
    error: string | undefined;
    autoFocus: boolean;
    onValue: (value: string) => void;
  },
) {
  const common = {
    label: column.name,
    hideLabel: true,
    value,
    error,
    autoFocus,
    onChange: ({ target }: { target: { value: string } }) => onValue(target.value),
  };
  if (column.field_type === "BOOLEAN") return <SelectField {...common} options={booleans} />;
  const number = column.field_type === "INTEGER" || column.field_type === "DECIMAL";
  return (
    <TextField
      {...common}
      placeholder={exampleOf(column.field_type)}
      inputMode={number ? "decimal" : undefined}
      type={column.field_type === "DATE" ? "date" : "text"}
    />
  );
}
