import { Check, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.ts";
import { Note } from "#web/kit/states.tsx";
import { classes } from "#web/kit/classes.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import type { RowPosition } from "#web/features/lookup-tables/grid-row.tsx";
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

/** Sends a row: a new one where `row` is undefined. */
function useRowForm(table: LookupTable, row: Row | undefined, onDone: () => void) {
  const changed = useTablesChanged();
  const columns = table.fields.filter(({ is_primary_key }) => !is_primary_key);
  const form = useForm(async (draft: Draft) => {
    const sent = rowForm(columns, draft);
    const lookup_table_id = table.table_id;
    await (row
      ? send("patch", "/api/referencedata/table/{lookup_table_id}/data/{row_id}", {
        params: { path: { lookup_table_id, row_id: row.row_id } },
        body: sent,
      })
      : send("post", "/api/referencedata/table/{lookup_table_id}/data", {
        params: { path: { lookup_table_id } },
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
