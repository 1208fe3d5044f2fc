import { AwsClient } from "aws4fetch";
import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FilesSettings } from "#contract/connections/files.ts";
import { joinBytes } from "#kit/bytes.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { realPathWithin, type Session } from "../../connector.ts";
import { SourceHttp, StatusError } from "../../http.ts";
import type { FileStore, ListedFile } from "#platform/files/file.ts";

/** The store of a connection. */
export function storeOf(session: Session<FilesSettings>): FileStore {
  return session.settings.bucket ? bucketStore(session) : folderStore(session);
}

/** Most pages of a thousand objects, so that a server cannot go on endlessly. */
const maxPages = 5_000;

/** A bucket of a server that speaks S3, addressed by path, requests signed with version 4. */
function bucketStore(session: Session<FilesSettings>): FileStore {
  const { bucket, endpoint, region, ca } = session.settings;
  const address = endpoint ?? `https://s3.${region}.amazonaws.com`;
  const base = `${address.replace(/\/$/, "")}/${bucket}`;
  const http = new SourceHttp(session, { base, ca });
  const client = clientOf(session);
  const get = async (path: string, headers: Record<string, string> = {}) => {
    if (!client) return answered(http.bytes(path, { headers }));
    const signed = await client.sign(new URL(path, `${base}/`).href, { headers });
    return answered(http.bytes(path, { headers: Object.fromEntries(signed.headers) }));
  };
  return {
    list: (prefix) => objects(prefix.replace(/^\//, ""), (path) => get(path)),
    async read(path, from, to) {
      const key = path.split("/").map(encodeURIComponent).join("/");
      return await whole(await get(key, { range: `bytes=${from}-${to - 1}` }), to - from);
    },
    close: () => http.close(),
  };
}

/** What servers answer for another region than that of the bucket. */
const wrongRegion = new Set([301, 307, 400]);

async function* answered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof StatusError) || !wrongRegion.has(error.status)) throw error;
    const reason = `the server answers with status ${error.status}, as for a wrong region`;
    throw new SourceError(error.object, reason, "Check the region and the endpoint");
  }
}

function clientOf({ settings, secrets }: Session<FilesSettings>): AwsClient | null {
  const { access_key, region } = settings;
  if (!access_key) return null;
  return new AwsClient({
    accessKeyId: access_key,
    secretAccessKey: secrets.get("secret_key") ?? "",
    region,
    service: "s3",
    retries: 0,
  });
}

/** At most `max` bytes: a server may ignore ranges. */
async function whole(chunks: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, max - size);
    parts.push(part);
    size += part.length;
    if (size >= max) break;
  }
  return joinBytes(parts, size);
}

type Get = (path: string) => Promise<AsyncIterable<Uint8Array>>;

async function* objects(prefix: string, get: Get): AsyncGenerator<ListedFile> {
  let token = "";
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({
      "list-type": "2",
      "encoding-type": "url",
      prefix,
      ...(token === "" ? {} : { "continuation-token": token }),
    });
    // In the order and the encoding that are signed.
    query.sort();
    const text = await textOf(await get(`?${query.toString().replaceAll("+", "%20")}`));
    if (!text.includes("<ListBucketResult")) {
      throw new SourceError("the bucket", "the answer is not that of S3", "Check the endpoint");
    }
    yield* listed(text);
    token = memberOf(text, "NextContinuationToken");
    if (token === "") return;
  }
  throw new SourceError("the bucket", `there are more than ${maxPages} pages`, "Name prefixes");
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function* listed(text: string): Generator<ListedFile> {
  for (const one of text.split("<Contents>").slice(1)) {
    const path = decodeURIComponent(memberOf(one, "Key").replaceAll("+", " "));
    const modified = Date.parse(memberOf(one, "LastModified"));
    const size = Number(memberOf(one, "Size"));
    const isData = !path.endsWith("/") && !path.split("/").some(isHidden);
    if (isData && Number.isSafeInteger(size) && !Number.isNaN(modified)) {
      yield { path, size, modified };
    }
  }
}

/** The text of the first element of a name; keys are encoded as in URLs, so that nothing else needs decoding. */
function memberOf(text: string, name: string): string {
  const from = text.indexOf(`<${name}>`);
  const to = text.indexOf(`</${name}>`, from);
  if (from < 0 || to < 0) return "";
  return text.slice(from + name.length + 2, to).replaceAll("&quot;", '"').replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Deepest folder below a given one. */
export const maxDepth = 32;

/** Names of files that are no data: of Spark, Hadoop and editors. */
const isHidden = (name: string) => /^[._]/.test(name);

/** Folders of this machine, as far as an operator allows them. Links are not followed. */
function folderStore({ folders, signal }: Session<FilesSettings>): FileStore {
  const allowed = async (path: string) => {
    signal.throwIfAborted();
    const real = await realPathWithin(path, folders, path);
    if (real !== null) return real;
    throw new SourceError(path, "there is no such folder or file", "Check the path");
  };
  return {
    async *list(path) {
      const root = path.length > 1 ? path.replace(/\/$/, "") : path;
      yield* walk(await allowed(root), root, signal, 0);
    },
    async read(path, from, to) {
      const file = await open(await allowed(path), "r").catch((error) => unreadable(path, error));
      try {
        const bytes = new Uint8Array(Math.max(0, to - from));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** `shown`: the path as it was given, which the names of files come from. */
async function* walk(
  real: string,
  shown: string,
  signal: AbortSignal,
  depth: number,
): AsyncGenerator<ListedFile> {
  signal.throwIfAborted();
  const entries: Dirent[] = await readdir(real, { withFileTypes: true })
    .catch((error) => unreadable(shown, error));
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (isHidden(entry.name)) continue;
    const [path, at] = [join(shown, entry.name), join(real, entry.name)];
    if (entry.isDirectory() && depth < maxDepth) yield* walk(at, path, signal, depth + 1);
    if (!entry.isFile()) continue;
    const found = await stat(at).catch(() => null);
    if (found) yield { path, size: found.size, modified: Math.trunc(found.mtimeMs) };
  }
}

function unreadable(path: string, cause: unknown): never {
  const remedy = "Give the account of the service collector the right to read it";
  throw new SourceError(path, "it cannot be read", remedy, cause);
}
