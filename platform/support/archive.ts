import { createTarGzip } from "nanotar";
import type { SectionsRead } from "#platform/support/sections.ts";

/** The sections as one `.tar.gz`; `missing.json` in it says why others are not there. */
export async function bundleArchive(
  read: SectionsRead[],
): Promise<{ archive: Uint8Array; files: string[]; missing: string[] }> {
  const missing = Object.assign({}, ...read.map((one) => one.missing)) as Record<string, string>;
  const files = new Map(read.flatMap((one) => [...one.files]));
  files.set("missing.json", `${JSON.stringify(missing, null, 2)}\n`);
  const entries = [...files].map(([name, data]) => ({ name: `tributary-support/${name}`, data }));
  const archive = await createTarGzip(entries, { attrs: { mode: "600" } });
  return { archive, files: [...files.keys()], missing: Object.keys(missing) };
}
