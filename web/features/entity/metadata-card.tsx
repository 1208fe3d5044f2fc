import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { read, type Schema, send } from "#web/api/client.ts";
import { complain, undoing } from "#web/components/undo.ts";
import styles from "#web/features/entity/entity.module.css";
import {
  type FieldType,
  fieldTypes,
  type FieldValue,
  laidOut,
  withValues,
  wrongWith,
} from "#web/features/entity/metadata-types.ts";
import { type CardOf, useChanged } from "#web/features/entity/use-entity.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { SelectField, TextArea, TextField, useDebounced } from "#web/kit/field.tsx";
import { EditButton, FormDialog, useForm } from "#web/kit/form.tsx";
import { words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { exactTime } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** Values of fields: those that people gave, and those of its source. */
export function MetadataCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<FieldValue>();
  const remove = useRemoveValue(of.id);
  const values = of.metadata_field_values;
  const theirs = values.filter(({ field }) => field.origin === "EXTERNAL");
  const own = values.filter(({ field }) => field.origin !== "EXTERNAL");
  const buttons = buttonColumn(
    can("DATA_ENTITY_CUSTOM_METADATA_UPDATE") ? setEditing : undefined,
    can("DATA_ENTITY_CUSTOM_METADATA_DELETE") ? (one) => void remove(one) : undefined,
  );
  return (
    <Card
      title={t("entity.metadata")}
      flush={values.length > 0}
      actions={can("DATA_ENTITY_CUSTOM_METADATA_CREATE") && (
        <Button
          small
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden /> {t("kit.add")}
        </Button>
      )}
    >
      {values.length === 0 && <span className="soft">{t("entity.noMetadata")}</span>}
      <div className={styles.inline}>
        {own.length > 0 && (
          <Table
            label={t("entity.metadataAddedByPeople")}
            columns={[...valueColumns(t("entity.addedHere")), ...buttons]}
            rows={own}
            keyOf={({ field }) => field.id}
          />
        )}
        {theirs.length > 0 && (
          <Table
            label={t("entity.metadataFromTheSourceSystem")}
            columns={valueColumns(t("components.fromTheSourceSystem"))}
            rows={theirs}
            keyOf={({ field }) => field.id}
          />
        )}
      </div>
      {adding && <ValueDialog id={of.id} onClose={() => setAdding(false)} />}
      {editing && <ValueDialog id={of.id} of={editing} onClose={() => setEditing(undefined)} />}
    </Card>
  );
}

function valueColumns(heading: string): Column<FieldValue>[] {
  return [
    { name: heading, cell: ({ field }) => <span className="foreign">{field.name}</span> },
    { name: t("entity.value"), cell: (one) => <Value of={one} /> },
    {
      name: t("kit.type"),
      tight: true,
      cell: ({ field }) => <span className="soft">{words(field.type)}</span>,
    },
  ];
}

function buttonColumn(
  onEdit: ((one: FieldValue) => void) | undefined,
  onRemove: ((one: FieldValue) => void) | undefined,
): Column<FieldValue>[] {
  if (!onEdit && !onRemove) return [];
  const cell = (one: FieldValue) => (
    <>
      {onEdit && (
        <EditButton
          label={t("entity.edit", { name: one.field.name })}
          onClick={() => onEdit(one)}
        />
      )}
      {onRemove && (
        <IconButton
          small
          label={t("kit.remove", { name: one.field.name })}
          onClick={() => onRemove(one)}
        >
          <Trash2 />
        </IconButton>
      )}
    </>
  );
  return [{ name: t("entity.change"), hideName: true, tight: true, cell }];
}

/** A value as its type reads best; never anything but text. */
function Value({ of: { field: { type }, value } }: { of: FieldValue }) {
  if (type === "BOOLEAN") {
    return <>{value === "true" ? t("entity.yes") : value === "false" ? t("entity.no") : value}</>;
  }
  if (type === "DATETIME" && !Number.isNaN(Date.parse(value))) {
    return <span title={value}>{exactTime(value)}</span>;
  }
  if (type === "JSON" || type === "ARRAY") {
    return <pre className={`foreign ${styles.value}`} tabIndex={0}>{laidOut(value)}</pre>;
  }
  return <span className="foreign">{value}</span>;
}

/** Gives the entity values of fields, which are made if nobody uses them yet. */
function useAddValues(id: number) {
  const changed = useChanged(id);
  return async (body: Schema<"MetadataObject">[]) => {
    const made = await send("post", "/api/dataentities/{data_entity_id}/metadata", {
      path: { data_entity_id: id },
      body,
    });
    changed(withValues(made.items));
  };
}

function useRemoveValue(id: number) {
  const changed = useChanged(id);
  const add = useAddValues(id);
  return async ({ field: { id: fieldId, name, type }, value }: FieldValue) => {
    try {
      await send("delete", "/api/dataentities/{data_entity_id}/metadata/{metadata_field_id}", {
        path: { data_entity_id: id, metadata_field_id: fieldId },
      });
    } catch (error) {
      return complain(t("entity.wasNotRemoved", { name }), error);
    }
    changed(({ metadata_field_values: now }) => ({
      metadata_field_values: now.filter(({ field }) => field.id !== fieldId),
    }));
    toast(t("entity.isRemoved", { name }), { undo: undoing(() => add([{ name, type, value }])) });
  };
}

function usePutValue(id: number) {
  const changed = useChanged(id);
  return async (metadata_field_id: number, value: string) => {
    const made = await send(
      "put",
      "/api/dataentities/{data_entity_id}/metadata/{metadata_field_id}",
      { path: { data_entity_id: id, metadata_field_id }, body: { value } },
    );
    changed(({ metadata_field_values: now }) => ({
      metadata_field_values: now.map((one) => one.field.id === metadata_field_id ? made : one),
    }));
  };
}

/** Gives the entity a value of a field, which is made if nobody uses it yet; changes the value `of`. */
function ValueDialog(
  { id, of, onClose }: { id: number; of?: FieldValue; onClose: () => void },
) {
  const [name, setName] = useState(of?.field.name ?? "");
  const [type, setType] = useState<FieldType>(of?.field.type ?? "STRING");
  const [value, setValue] = useState(of?.value ?? "");
  const [tried, setTried] = useState(false);
  const [add, put] = [useAddValues(id), usePutValue(id)];
  const save = (text: string) =>
    of ? put(of.field.id, text) : add([{ name: name.trim(), type, value: text }]);
  const form = useForm(save, () => {
    onClose();
    if (of) toast(t("entity.isSaved", { name }), { undo: undoing(() => save(of.value)) });
    else toast(t("entity.isAdded", { name: name.trim() }));
  });
  const wrong = wrongWith(type, value);
  const submit = () => {
    setTried(true);
    if (!wrong) form.submit(value.trim());
  };
  return (
    <FormDialog
      title={of ? name : t("entity.addMetadata")}
      save={of ? t("kit.save") : t("kit.add")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      {!of && (
        <>
          <FieldName
            value={name}
            onValue={setName}
            onField={({ type: known }) => setType(known)}
            error={form.errorOf("name")}
          />
          <SelectField
            label={t("kit.type")}
            value={type}
            onChange={(event) => setType(event.target.value as FieldType)}
            options={fieldTypes()}
            error={form.errorOf("type")}
          />
        </>
      )}
      <ValueField
        type={type}
        value={value}
        onValue={setValue}
        error={form.errorOf("value") ?? (tried ? wrong : undefined)}
        autoFocus={of !== undefined}
      />
    </FormDialog>
  );
}

/** Names that people use, each with its type; a name may be used with several. */
function FieldName(
  { value, onValue, onField, error }: {
    value: string;
    onValue: (value: string) => void;
    onField: (field: Schema<"MetadataField">) => void;
    error?: string;
  },
) {
  const query = useDebounced(value.trim());
  const { data } = useQuery(read("/api/metadata/fields", { query: { query } }));
  const known = (data?.items ?? []).slice(0, 12);
  const typeOf = (name: string) => known.find((one) => one.name === name);
  return (
    <SuggestField
      label={t("kit.name")}
      value={value}
      onValue={onValue}
      items={[...new Set(known.map(({ name }) => name))]}
      about={(name) => <span className="soft">{words(typeOf(name)?.type ?? "")}</span>}
      onPick={(name) => {
        onValue(name);
        const field = typeOf(name);
        if (field) onField(field);
      }}
      error={error}
      autoFocus
    />
  );
}

function ValueField(
  { type, value, onValue, ...rest }: {
    type: FieldType;
    value: string;
    onValue: (value: string) => void;
    error?: string;
    autoFocus?: boolean;
  },
) {
  const control = {
    ...rest,
    label: t("entity.value"),
    value,
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
  };
  if (type === "BOOLEAN") {
    return (
      <SelectField
        {...control}
        options={[["", "–"], ["true", t("entity.yes")], ["false", t("entity.no")]]}
      />
    );
  }
  if (type === "DATETIME") return <TextField {...control} placeholder="2026-05-01T12:00:00Z" />;
  if (type === "INTEGER" || type === "FLOAT") return <TextField {...control} inputMode="decimal" />;
  return <TextArea {...control} rows={type === "STRING" ? 3 : 6} spellCheck={type === "STRING"} />;
}
