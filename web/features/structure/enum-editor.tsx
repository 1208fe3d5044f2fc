import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";
import { useFieldChange } from "#web/features/structure/field-sections.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

interface Draft {
  id?: number;
  /** Of the row, while it is edited. */
  key: number;
  name: string;
  description: string;
}

/** All values that people gave a field, edited together; those of its source are left out. */
export function EnumEditor(
  { field, values, onDone }: {
    field: Field;
    values: Schema<"EnumValueList">;
    onDone: () => void;
  },
) {
  const theirs = values.items.filter(({ modifiable }) => modifiable === false).length;
  const [rows, setRows] = useState(() => draftsOf(values));
  const change = useFieldChange();
  const form = useForm((drafts: Draft[]) => {
    const items = drafts.map(({ id, name, description }) => ({
      id,
      name: name.trim(),
      description: description.trim() || null,
    }));
    return change(
      send("post", "/api/datasetfields/{dataset_field_id}/enum_values", {
        path: { dataset_field_id: field.id },
        body: { items },
      }),
    );
  }, onDone);
  const wanted = rows.filter(({ name, description }) => name.trim() !== "" || description !== "");
  // Empty rows are not sent, so that errors name places among the others.
  const errorOf = (row: Draft, part: string) => {
    const at = wanted.indexOf(row);
    return at < 0 ? undefined : form.errorOf(`items[${at}].${part}`);
  };
  return (
    <InlineForm form={form} onSave={() => form.submit(wanted)} onCancel={onDone}>
      {theirs > 0 && <Note>{t("structure.valuesFromTheSourceCannot")}</Note>}
      <div className={styles.values}>
        {rows.map((row, at) => (
          <EnumRow
            key={row.key}
            row={row}
            place={at + 1}
            autoFocus={at === rows.length - 1}
            errorOf={(part) => errorOf(row, part)}
            onEdit={(part) => setRows(rows.map((one) => one === row ? { ...row, ...part } : one))}
            onRemove={() => setRows(rows.filter((one) => one !== row))}
          />
        ))}
      </div>
      <Button small onClick={() => setRows([...rows, blank(-1 - rows.length - Date.now())])}>
        <Plus aria-hidden /> {t("structure.addAValue")}
      </Button>
    </InlineForm>
  );
}

function EnumRow(
  { row, place, autoFocus, errorOf, onEdit, onRemove }: {
    row: Draft;
    place: number;
    autoFocus: boolean;
    errorOf: (part: string) => string | undefined;
    onEdit: (part: Partial<Draft>) => void;
    onRemove: () => void;
  },
) {
  return (
    <div className={styles.value}>
      <TextField
        label={t("structure.value2", { place })}
        hideLabel
        placeholder={t("structure.value")}
        autoFocus={autoFocus}
        value={row.name}
        error={errorOf("name")}
        onChange={({ target }) => onEdit({ name: target.value })}
      />
      <TextField
        label={t("structure.meaningOfValue", { place })}
        hideLabel
        placeholder={t("structure.meaning")}
        value={row.description}
        error={errorOf("description")}
        onChange={({ target }) => onEdit({ description: target.value })}
      />
      <IconButton
        label={row.name
          ? t("kit.remove", { name: row.name })
          : t("structure.removeValue", { place })}
        onClick={onRemove}
      >
        <Trash2 />
      </IconButton>
    </div>
  );
}

function draftsOf({ items }: Schema<"EnumValueList">): Draft[] {
  const drafts = items.filter(({ modifiable }) => modifiable !== false).map((
    { id, name, description },
  ): Draft => ({ id, key: id, name, description: description ?? "" }));
  return drafts.length > 0 ? drafts : [blank(-1)];
}

function blank(key: number): Draft {
  return { key, name: "", description: "" };
}
