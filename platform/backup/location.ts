import { s3OptionsOf } from "#platform/adapters.ts";
import { directoryReader, directoryWriter } from "#platform/backup/directory.ts";
import { BackupError } from "#platform/backup/manifest.ts";
import type { BackupReader, BackupWriter } from "#platform/backup/port.ts";
import { s3Reader, s3Writer } from "#platform/backup/s3.ts";
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
