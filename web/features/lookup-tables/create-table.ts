import { type Schema, send } from "#web/api/client.ts";
import { sendFile } from "#web/api/send-file.ts";
import { type ColumnDraft, columnForm } from "#web/features/lookup-tables/column-draft.ts";
import { csvLine } from "#web/features/lookup-tables/csv.ts";
import type { LookupTable } from "#web/features/lookup-tables/tables.ts";

/** A CSV file whose columns are known. */
export interface ReadFile {
  file: File;
  columns: ColumnDraft[];
  /** Bytes of its header, with the line end. */
  headerBytes: number;
}

/**
 * Creates a table, with the columns and rows of a file where there is one. What fails on the way leaves no table behind.
 * Returns the table and the number of its rows.
 */
export async function createTable(
  body: Schema<"LookupTableFormData">,
  from: ReadFile | undefined,
): Promise<{ table: LookupTable; rows: number }> {
  const table = await send("post", "/api/referencedata/table", { body });
  if (!from) return { table, rows: 0 };
  const path = { lookup_table_id: table.table_id };
  try {
    await send("post", "/api/referencedata/table/{lookup_table_id}/columns", {
      params: { path },
      body: from.columns.map((one) => ({ ...columnForm(one), field_type: one.field_type })),
    });
    const { inserted } = await sendFile<Schema<"LookupTableImport">>(
      `/api/referencedata/table/${table.table_id}/data/import?mode=append`,
      renamed(from),
      { type: "text/csv" },
    );
    return { table, rows: inserted };
  } catch (error) {
    await send("delete", "/api/referencedata/table/{lookup_table_id}", { params: { path } })
      .catch(() => {});
    throw error;
  }
}

/** The file with the names of its columns that were chosen for them. */
function renamed({ file, columns, headerBytes }: ReadFile): Blob {
  return new Blob([csvLine(columns.map(({ name }) => name.trim())), file.slice(headerBytes)]);
}
