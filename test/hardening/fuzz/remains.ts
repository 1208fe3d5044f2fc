import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { uploadLife } from "#metadata/catalogue/uploads.ts";
import { dropOverdueUploads, removePieces } from "#services/housekeeping/attachments.ts";
import { eventually } from "#test/support/eventually.ts";
import type { Subject } from "../subject.ts";

/**
 * Rejects unless every file that was completed was deleted, and unless housekeeping, once the uploads that are open are
 * overdue, leaves nothing of any: no row, no object.
 */
export async function expectNoFilesLeft(subject: Subject): Promise<void> {
  const context = await subject.openContext();
  const count = async (what: string) =>
    (await context.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${what}`))[0]!.n;
  const complete = await count("attachment_file WHERE completed_at IS NOT NULL");
  if (complete > 0) throw new Error(`${complete} files are complete that nobody asked for`);
  const overdue = new Date(Date.now() + 2 * uploadLife);
  // What was cut off may still be given up by the service.
  await eventually(async () => {
    while (await dropOverdueUploads(context, overdue, 100) > 0);
    await Array.fromAsync(removePieces(context, overdue));
    const objects = await objectsOf(join(context.config.data.dir, "attachments"));
    const left = [await count("attachment_file"), await count("attachment_piece"), objects.length];
    if (left.some((found) => found > 0)) {
      throw new Error(`left are ${left[0]} files, ${left[1]} pieces and ${left[2]} objects`);
    }
  });
}

async function objectsOf(directory: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true })
    .catch((error) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}
