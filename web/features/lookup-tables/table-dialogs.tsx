import { useState } from "react";
import { send } from "#web/api/client.ts";
import { TextArea, TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import { type LookupTable } from "#web/features/lookup-tables/tables.ts";
import { t } from "#web/messages/text.ts";

export function EditTable({ of, onClose }: { of: LookupTable; onClose: () => void }) {
  const [name, setName] = useState(of.name ?? "");
  const [description, setDescription] = useState(of.description ?? "");
  const changed = useTablesChanged();
  const form = useForm(async () => {
    await send("put", "/api/referencedata/table/{lookup_table_id}", {
      path: { lookup_table_id: of.table_id },
      body: { name, description: description.trim() || null },
    });
    await changed();
  }, onClose);
  return (
    <FormDialog
      title={t("lookup-tables.editTheLookupTable")}
      save={t("kit.save")}
      form={form}
      disabled={name.trim() === ""}
      onSave={() => form.submit(undefined)}
      onClose={onClose}
    >
      <TextField label={t("kit.name")} autoFocus {...form.field("name", name, setName)} />
      <TextArea
        label={t("kit.description")}
        {...form.field("description", description, setDescription)}
      />
    </FormDialog>
  );
}
