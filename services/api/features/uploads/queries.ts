import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const ensure = statement("uploads-source")`
  INSERT INTO data_source (catrn, name, description)
  VALUES ($1, 'Uploaded files', 'Files that people described by uploading them; their content is not stored')
  ON CONFLICT (catrn) DO NOTHING`;

/** Registers the data source of uploads unless it is there. */
export async function ensureUploads(tx: Transaction, catrn: string): Promise<void> {
  await tx.query(ensure, [catrn]);
}
