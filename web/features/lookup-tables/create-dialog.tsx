import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { sendFile } from "#web/api/send-file.ts";
import { Field, TextArea, TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { toast } from "#web/kit/toast.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import {
  type ColumnDraft,
  columnForm,
  ColumnGrid,
} from "#web/features/lookup-tables/column-grid.tsx";
import { columnsOf, csvLine, maxSampleBytes, readSample } from "#web/features/lookup-tables/csv.ts";
import type { LookupTable } from "#web/features/lookup-tables/tables.ts";
import { t } from "#web/messages/text.ts";
import { useNames } from "#web/components/pickers.tsx";

/** A new lookup table: an empty one, or one with the columns and rows of a CSV file. */
export function CreateTable(
  { onClose, onCreated }: { onClose: () => void; onCreated: (table: LookupTable) => void },
) {
  const [name, setName] = useState("");
  const [namespace, setNamespace] = useState("");
  const [description, setDescription] = useState("");
  const [from, setFrom] = useState<ReadFile>();
  const changed = useTablesChanged();
  const form = useForm(async () => {
    const namespace_name = namespace.trim();
    const created = await createTable(
      { name, namespace_name, description: description.trim() || null },
      from,
    );
    await changed();
    return created;
  }, ({ table, rows }) => {
    onClose();
    if (from) toast(t("lookup-tables.imported", { count: rows }));
    onCreated(table);
  });
  return (
    <FormDialog
      title={t("lookup-tables.newLookupTable")}
      about={t("lookup-tables.columnsAndRowsComeFrom")}
      save={t("kit.create")}
      form={form}
      wide
      disabled={name.trim() === "" || namespace.trim() === ""}
      onSave={() => form.submit(undefined)}
      onClose={onClose}
    >
      <TextField label={t("kit.name")} autoFocus {...form.field("name", name, setName)} />
      <Namespace value={namespace} onValue={setNamespace} error={form.errorOf("namespace_name")} />
      <CsvFile
        of={from}
        onFile={(read) => {
          setFrom(read);
          if (read && name.trim() === "") setName(read.file.name.replace(/\.csv$/i, ""));
        }}
      />
      <TextArea
        label={t("kit.description")}
        {...form.field("description", description, setDescription)}
      />
    </FormDialog>
  );
}

function Namespace(
  text: { value: string; onValue: (value: string) => void; error: string | undefined },
) {
  return (
    <SuggestField
      {...text}
      label={t("kit.namespace")}
      items={useNames("/api/namespaces", text.value).names}
      hint={t("lookup-tables.createdIfItDoesNot")}
    />
  );
}

/** Chooses a file, and shows the columns that its header and its cells describe, to be changed before they are made. */
function CsvFile(
  { of, onFile }: { of: ReadFile | undefined; onFile: (read: ReadFile | undefined) => void },
) {
  const [fault, setFault] = useState<string>();
  const choose = async (file: File | undefined) => {
    const read = file && await readColumns(file);
    setFault(typeof read === "string" ? read : undefined);
    onFile(typeof read === "object" ? read : undefined);
  };
  const put = (at: number, part: Partial<ReadFile["columns"][number]>) =>
    of && onFile({
      ...of,
      columns: of.columns.map((one, index) => (index === at ? { ...one, ...part } : one)),
    });
  return (
    <>
      <Field label={t("lookup-tables.csvFile")} hint={t("lookup-tables.optionalInUtf8With")}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,text/csv"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        )}
      </Field>
      {fault && <Note tone="bad">{fault}</Note>}
      {of && <ColumnGrid columns={of.columns} onColumn={put} />}
    </>
  );
}

/** The columns of a file, or what is wrong with it. */
async function readColumns(file: File): Promise<ReadFile | string> {
  const text = await file.slice(0, maxSampleBytes).text();
  const sample = readSample(text, file.size <= maxSampleBytes);
  if (!sample) return t("lookup-tables.fileHasNoFirstLine");
  if (sample.header.length === 1 && sample.header[0]!.includes(";")) {
    return t("lookup-tables.fileHasSemicolons");
  }
  // A mark of the byte order is no part of the text, but of the file.
  const mark = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  const markBytes = mark[0] === 0xEF && mark[1] === 0xBB && mark[2] === 0xBF ? 3 : 0;
  const headerBytes = new TextEncoder().encode(text.slice(0, sample.headerLength)).length;
  return { file, columns: columnsOf(sample), headerBytes: markBytes + headerBytes };
}

/** A CSV file whose columns are known. */
interface ReadFile {
  file: File;
  columns: ColumnDraft[];
  /** Bytes of its header, with the line end. */
  headerBytes: number;
}

/**
 * Creates a table, with the columns and rows of a file where there is one. What fails on the way leaves no table behind.
 * Returns the table and the number of its rows.
 */
async function createTable(
  body: Schema<"LookupTableFormData">,
  from: ReadFile | undefined,
): Promise<{ table: LookupTable; rows: number }> {
  const table = await send("post", "/api/referencedata/table", { body });
  if (!from) return { table, rows: 0 };
  const path = { lookup_table_id: table.table_id };
  try {
    await send("post", "/api/referencedata/table/{lookup_table_id}/columns", {
      path,
      body: from.columns.map((one) => ({ ...columnForm(one), field_type: one.field_type })),
    });
    const { inserted } = await sendFile<Schema<"LookupTableImport">>(
      `/api/referencedata/table/${table.table_id}/data/import?mode=append`,
      renamed(from),
      { type: "text/csv" },
    );
    return { table, rows: inserted };
  } catch (error) {
    await send("delete", "/api/referencedata/table/{lookup_table_id}", { path })
      .catch(() => {});
    throw error;
  }
}

/** The file with the names of its columns that were chosen for them. */
function renamed({ file, columns, headerBytes }: ReadFile): Blob {
  return new Blob([csvLine(columns.map(({ name }) => name.trim())), file.slice(headerBytes)]);
}
