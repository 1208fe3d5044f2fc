import { createHash } from "node:crypto";
import { joinBytes } from "#kit/bytes.ts";
import { s3OptionsOf } from "#platform/adapters.ts";
import { directoryReader, directoryWriter } from "#platform/backup/directory.ts";
import {
  BackupError,
  type BackupReader,
  type BackupWriter,
  manifestName,
} from "#platform/backup/manifest.ts";
import type { Config } from "#platform/config/schema.ts";
import { S3Bucket } from "#storage/s3-bucket.ts";

/** Milliseconds that the transfer of one object may take. */
const transferMs = 60_000;

/** A new backup at a directory or `s3://bucket/prefix`. Throws `BackupError`. */
export async function openWriter(place: string, config: Config): Promise<BackupWriter> {
  const bucket = bucketOf(place, config);
  return bucket ? await s3Writer(bucket, place) : await directoryWriter(place);
}

/** The backup at a directory or `s3://bucket/prefix`. Throws `BackupError` for an address that cannot be one. */
export function openReader(place: string, config: Config): BackupReader {
  const bucket = bucketOf(place, config);
  return bucket ? s3Reader(bucket, place) : directoryReader(place);
}

const safePart = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The bucket of an S3 address, on the server of the attachments; null for a directory. */
function bucketOf(place: string, { attachment }: Config): S3Bucket | null {
  if (!place.startsWith("s3://")) return null;
  const [bucket = "", ...parts] = place.slice("s3://".length).replace(/\/$/, "").split("/");
  const isSafe = [bucket, ...parts].every((part) => part.length <= 200 && safePart.test(part));
  if (!isSafe || parts.length === 0) {
    throw new BackupError(
      `${place} must be s3://bucket/prefix, of letters, digits, dots and hyphens`,
    );
  }
  if (attachment.storage !== "REMOTE") {
    throw new BackupError(
      "s3:// uses the server of the attachments: set attachment.storage to REMOTE with attachment.remote.url, " +
        "access-key and secret-key, or name a directory",
    );
  }
  const options = { ...s3OptionsOf(attachment.remote), bucket, prefix: `${parts.join("/")}/` };
  return new S3Bucket({ ...options, timeoutMs: transferMs });
}

/** Largest object, bytes: a file is written as objects of this size, which memory holds one at a time. */
const maxObject = 16 * 1024 * 1024;

const objectName = (name: string, at: number) => `${name}.${String(at).padStart(6, "0")}`;

/**
 * A new backup in a bucket, below the bucket's prefix; the manifest, written last, makes it whole. Throws `BackupError`
 * when there is one.
 */
async function s3Writer(bucket: S3Bucket, location: string): Promise<BackupWriter> {
  if (await bucket.get(manifestName)) {
    throw new BackupError(`${location} holds a backup already: name a prefix that has none`);
  }
  const written: string[] = [];
  const put = async (name: string, bytes: Uint8Array) => {
    written.push(name);
    await bucket.put(name, bytes);
  };
  return {
    location,
    async write(name, chunks) {
      const hash = createHash("sha256");
      let size = 0;
      let at = 0;
      for await (const object of objectsOf(chunks)) {
        hash.update(object);
        size += object.byteLength;
        await put(objectName(name, at++), object);
      }
      return { name, size, sha256: hash.digest("hex") };
    },
    commit: (manifest) => bucket.put(manifestName, new TextEncoder().encode(manifest)),
    async abort() {
      for (const name of written) await bucket.delete(name);
    },
  };
}

/** A backup in a bucket, below the bucket's prefix. */
function s3Reader(bucket: S3Bucket, location: string): BackupReader {
  return {
    location,
    async manifest() {
      const bytes = await bucket.get(manifestName);
      if (!bytes) throw new BackupError(`${location} holds no backup: ${manifestName} is missing`);
      return new TextDecoder().decode(bytes);
    },
    async *read(name) {
      for (let at = 0;; at++) {
        const bytes = await bucket.get(objectName(name, at));
        if (!bytes) return;
        yield bytes;
      }
    },
  };
}

/** The bytes of a file, divided into objects; none of an empty file. */
async function* objectsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.byteLength;
    if (size < maxObject) continue;
    yield joinBytes(waiting, size);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield joinBytes(waiting, size);
}
