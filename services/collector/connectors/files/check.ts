import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { FilesSettings } from "#contract/connections/files.ts";
import { failedCheck, type Session } from "../../connector.ts";
import { placeOf } from "./read.ts";
import { storeOf } from "./stores.ts";

/** Files of each path that a check looks at. */
const maxLooked = 1_000;

/** Tries a connection: each path can be listed, and a file in it be read. */
export async function checkFiles(session: Session<FilesSettings>): Promise<ConnectionCheck[]> {
  const { naming, settings, signal } = session;
  const store = storeOf(session);
  const checks: ConnectionCheck[] = [];
  try {
    for (const path of settings.paths) {
      signal.throwIfAborted();
      let count = 0;
      let readable: string | null = null;
      for await (const file of store.list(path)) {
        if (readable === null && placeOf(file.path, naming)) {
          readable = file.path;
          await store.read(file.path, 0, Math.min(file.size, 16));
        }
        if (++count >= maxLooked) break;
      }
      const detail = count < maxLooked ? `${count} files` : `at least ${count} files`;
      checks.push({ name: `List ${path}`, outcome: "OK", detail }, reading(path, readable));
    }
  } catch (error) {
    checks.push(failedCheck("Read", error));
  } finally {
    await store.close();
  }
  return checks;
}

function reading(path: string, file: string | null): ConnectionCheck {
  const name = `Read ${path}`;
  if (file !== null) return { name, outcome: "OK", detail: `${file} can be read` };
  const remedy = "Name a folder of Parquet, CSV or JSON lines";
  return { name, outcome: "WARNING", detail: "no file is of a known format", remedy };
}
