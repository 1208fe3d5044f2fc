import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { SourceError } from "./connector.ts";

/**
 * The real path of a file or folder: links must not lead out of the folders that an operator allows. Null for one that does
 * not exist; throws a `SourceError` that names `object` for one that is not allowed.
 */
export async function realPathWithin(
  path: string,
  folders: readonly string[],
  object: string,
): Promise<string | null> {
  // Before anything is looked for: whether a file exists elsewhere is nobody's business.
  if (!folders.some((folder) => isWithin(path, folder))) throw notAllowed(object);
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  const allowed = await Promise.all(folders.map((one) => realpath(one).catch(() => one)));
  if (!allowed.some((folder) => isWithin(real, folder))) throw notAllowed(object);
  return real;
}

const isWithin = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const notAllowed = (object: string) =>
  new SourceError(
    object,
    "its folder is not one that connections may read",
    "An operator can add it to connections.artifact-dirs",
  );
