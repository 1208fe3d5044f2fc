import type { Schema } from "#web/api/client.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { type Column, columnTypeOptions } from "#web/features/lookup-tables/tables.ts";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { type Column as Cells, Table } from "#web/kit/table.tsx";
import { t } from "#web/messages/text.ts";

/** A column as it is being written. */
export interface ColumnDraft {
  name: string;
  description: string;
  field_type: Column["field_type"];
  is_nullable: boolean;
  is_unique: boolean;
  default_value: string;
}

export interface GridColumn extends ColumnDraft {
  /** Whether it is in the table already: its type stays then. */
  isStored?: boolean;
  /** What the service said of it. */
  error?: string;
}

type Row = GridColumn & { at: number };
type OnColumn = (at: number, part: Partial<ColumnDraft>) => void;

/** Columns of a table, one a row, all of which are edited where they stand. */
export function ColumnGrid(
  { columns, onColumn }: { columns: GridColumn[]; onColumn: OnColumn },
) {
  const rows = columns.map((column, at) => ({ ...column, at }));
  return (
    <Table
      label={t("kit.columns")}
      rows={rows}
      keyOf={({ at }) => at}
      columns={cells(onColumn)}
    />
  );
}

function cells(onColumn: OnColumn): Cells<Row>[] {
  return [
    {
      name: t("kit.name"),
      cell: ({ at, name, error }) => (
        <TextField
          label={t("lookup-tables.nameOfColumn", { number: at + 1 })}
          hideLabel
          value={name}
          error={error}
          onChange={({ target }) => onColumn(at, { name: target.value })}
        />
      ),
    },
    {
      name: t("kit.type"),
      cell: ({ at, field_type, isStored }) => (
        <SelectField
          label={t("lookup-tables.typeOfColumn", { number: at + 1 })}
          hideLabel
          value={field_type}
          disabled={isStored}
          options={columnTypeOptions()}
          onChange={({ target }) =>
            onColumn(at, { field_type: target.value as ColumnDraft["field_type"] })}
        />
      ),
    },
    {
      name: t("lookup-tables.nullable"),
      tight: true,
      cell: (row) => <Rule of={row} rule="is_nullable" onColumn={onColumn} />,
    },
    {
      name: t("lookup-tables.unique"),
      tight: true,
      cell: (row) => <Rule of={row} rule="is_unique" onColumn={onColumn} />,
    },
    {
      name: t("lookup-tables.default"),
      cell: ({ at, default_value, field_type }) =>
        field_type !== "SERIAL" && (
          <TextField
            label={t("lookup-tables.defaultOfColumn", { number: at + 1 })}
            hideLabel
            value={default_value}
            onChange={({ target }) => onColumn(at, { default_value: target.value })}
          />
        ),
    },
  ];
}

const ruleTexts = {
  is_nullable: "lookup-tables.columnIsNullable",
  is_unique: "lookup-tables.columnIsUnique",
} as const;

function Rule(
  { of, rule, onColumn }: {
    of: Row;
    rule: keyof typeof ruleTexts;
    onColumn: OnColumn;
  },
) {
  const isFixed = rule === "is_nullable" && of.field_type === "SERIAL";
  return (
    <input
      type="checkbox"
      className={styles.rule}
      aria-label={t(ruleTexts[rule], { number: of.at + 1 })}
      checked={of[rule] && !isFixed}
      disabled={isFixed}
      onChange={({ target }) => onColumn(of.at, { [rule]: target.checked })}
    />
  );
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

export const isSameDraft = (a: ColumnDraft, b: ColumnDraft): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
