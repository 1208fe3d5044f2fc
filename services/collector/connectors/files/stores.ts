import type { FilesSettings } from "#contract/connections/files.ts";
import type { Session } from "../../connector.ts";
import { bucketStore } from "./bucket.ts";
import { folderStore } from "./folder.ts";
import type { FileStore } from "#platform/files/store.ts";

/** The store of a connection. */
export function storeOf(session: Session<FilesSettings>): FileStore {
  return session.settings.bucket ? bucketStore(session) : folderStore(session);
}
