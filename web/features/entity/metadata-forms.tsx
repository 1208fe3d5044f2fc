import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema, send } from "#web/api/client.ts";
import { SelectField, TextArea, TextField } from "#web/kit/field.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { useForm } from "#web/kit/form.tsx";
import { words } from "#web/kit/numbers.ts";
import { SuggestField } from "#web/kit/suggest.tsx";
import { toast } from "#web/kit/toast.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { undoing } from "#web/components/undo.ts";
import {
  type FieldType,
  fieldTypes,
  type FieldValue,
  withValues,
  wrongWith,
} from "#web/features/entity/metadata-types.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";
import { t } from "#web/messages/text.ts";

/** Gives the entity a value of a field, which is made if nobody uses it yet. */
export function AddMetadata({ id, onClose }: { id: number; onClose: () => void }) {
  const [name, setName] = useState("");
  const [type, setType] = useState<FieldType>("STRING");
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  const changed = useChanged(id);
  const form = useForm(
    (body: Schema<"MetadataObject">[]) =>
      send("post", "/api/dataentities/{data_entity_id}/metadata", {
        params: { path: { data_entity_id: id } },
        body,
      }),
    (made) => {
      changed(withValues(made.items));
      onClose();
      toast(t("entity.isAdded", { name: name.trim() }));
    },
  );
  const wrong = wrongWith(type, value);
  const submit = () => {
    setTried(true);
    if (!wrong) form.submit([{ name: name.trim(), type, value: value.trim() }]);
  };
  return (
    <FormDialog
      title={t("entity.addMetadata")}
      save={t("kit.add")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
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
      <ValueField
        type={type}
        value={value}
        onValue={setValue}
        error={form.errorOf("value") ?? (tried ? wrong : undefined)}
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
  const { data } = useQuery(read("/api/metadata/fields", { params: { query: { query } } }));
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

/** Changes a value that people gave. */
export function EditMetadata(
  { id, of, onClose }: { id: number; of: FieldValue; onClose: () => void },
) {
  const [value, setValue] = useState(of.value);
  const [tried, setTried] = useState(false);
  const changed = useChanged(id);
  const put = async (text: string): Promise<void> => {
    const made = await send(
      "put",
      "/api/dataentities/{data_entity_id}/metadata/{metadata_field_id}",
      {
        params: { path: { data_entity_id: id, metadata_field_id: of.field.id } },
        body: { value: text },
      },
    );
    changed(({ metadata_field_values: now }) => ({
      metadata_field_values: now.map((one) => one.field.id === of.field.id ? made : one),
    }));
  };
  const form = useForm(put, () => {
    onClose();
    toast(t("entity.isSaved", { name: of.field.name }), { undo: undoing(() => put(of.value)) });
  });
  const wrong = wrongWith(of.field.type, value);
  const submit = () => {
    setTried(true);
    if (!wrong) form.submit(value.trim());
  };
  return (
    <FormDialog
      title={of.field.name}
      save={t("kit.save")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      <ValueField
        type={of.field.type}
        value={value}
        onValue={setValue}
        error={form.errorOf("value") ?? (tried ? wrong : undefined)}
        autoFocus
      />
    </FormDialog>
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
