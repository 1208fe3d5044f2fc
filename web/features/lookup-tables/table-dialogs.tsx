import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, send } from "#web/api/client.ts";
import { TextArea, TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.ts";
import { SuggestField } from "#web/kit/suggest.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import { type LookupTable } from "#web/features/lookup-tables/tables.ts";

export function CreateTable(
  { onClose, onCreated }: { onClose: () => void; onCreated: (table: LookupTable) => void },
) {
  const [name, setName] = useState("");
  const [namespace, setNamespace] = useState("");
  const [description, setDescription] = useState("");
  const query = useDebounced(namespace.trim());
  const { data: known } = useQuery(
    read("/api/namespaces", { params: { query: { page: 1, size: 10, query } } }),
  );
  const changed = useTablesChanged();
  const form = useForm(async () => {
    const table = await send("post", "/api/referencedata/table", {
      body: { name, namespace_name: namespace.trim(), description: description.trim() || null },
    });
    await changed();
    return table;
  }, (table) => {
    onClose();
    onCreated(table);
  });
  return (
    <FormDialog
      title="New lookup table"
      about="It has a key at first; columns and rows come next."
      save="Create"
      form={form}
      disabled={name.trim() === "" || namespace.trim() === ""}
      onSave={() => form.submit(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        value={name}
        error={form.errorOf("name")}
        onChange={({ target }) => setName(target.value)}
      />
      <SuggestField
        label="Namespace"
        value={namespace}
        onValue={setNamespace}
        items={(known?.items ?? []).map((one) => one.name)}
        hint="Created if it does not exist"
        error={form.errorOf("namespace_name")}
      />
      <TextArea
        label="Description"
        value={description}
        error={form.errorOf("description")}
        onChange={({ target }) => setDescription(target.value)}
      />
    </FormDialog>
  );
}

export function EditTable({ of, onClose }: { of: LookupTable; onClose: () => void }) {
  const [name, setName] = useState(of.name ?? "");
  const [description, setDescription] = useState(of.description ?? "");
  const changed = useTablesChanged();
  const form = useForm(async () => {
    await send("put", "/api/referencedata/table/{lookup_table_id}", {
      params: { path: { lookup_table_id: of.table_id } },
      body: { name, description: description.trim() || null },
    });
    await changed();
  }, onClose);
  return (
    <FormDialog
      title="Edit the lookup table"
      save="Save"
      form={form}
      disabled={name.trim() === ""}
      onSave={() => form.submit(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        value={name}
        error={form.errorOf("name")}
        onChange={({ target }) => setName(target.value)}
      />
      <TextArea
        label="Description"
        value={description}
        error={form.errorOf("description")}
        onChange={({ target }) => setDescription(target.value)}
      />
    </FormDialog>
  );
}
