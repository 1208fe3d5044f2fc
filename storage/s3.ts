import { type ObjectStorage, requireKey } from "#storage/port.ts";
import { S3Bucket, type S3Options } from "#storage/s3-bucket.ts";

export type { S3Options } from "#storage/s3-bucket.ts";

export class S3Storage implements ObjectStorage {
  readonly engine = "s3";
  readonly #bucket: S3Bucket;

  constructor(options: S3Options) {
    this.#bucket = new S3Bucket(options);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(requireKey(key), bytes);
  }

  async get(key: string): Promise<Uint8Array | null> {
    return await this.#bucket.get(requireKey(key));
  }

  async delete(key: string): Promise<void> {
    await this.#bucket.delete(requireKey(key));
  }
}
