import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReader, openWriter } from "#platform/backup/location.ts";
import { Config } from "#platform/config/schema.ts";
import { type S3Server, startS3 } from "#test/support/engines/s3.ts";

let server: S3Server;
beforeAll(async () => void (server = await startS3()));
afterAll(() => server.stop());

const config = () =>
  Config.parse({
    attachment: {
      storage: "REMOTE",
      remote: {
        url: server.url,
        bucket: server.options.bucket,
        "access-key": server.options.accessKey,
        "secret-key": server.options.secretKey,
      },
    },
  });
const place = (name: string) => `s3://${server.options.bucket}/backups/${name}`;

async function contentOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const chunk of chunks) sizes.push(chunk.byteLength);
  return sizes;
}

const megabytes = (count: number) =>
  ReadableStream.from(Array.from({ length: count }, () => new Uint8Array(1024 * 1024).fill(7)));

describe("a backup in a bucket", () => {
  it("is read as it was written, large files as several objects", async () => {
    const writer = await openWriter(place("one"), config());
    const file = await writer.write("metadata/large.copy.gz", megabytes(17));
    expect(file.size).toBe(17 * 1024 * 1024);
    const reader = openReader(place("one"), config());
    await expect(reader.manifest()).rejects.toThrow("holds no backup: manifest.json is missing");
    await writer.commit('{"format":1}');
    expect(await reader.manifest()).toBe('{"format":1}');
    expect(await contentOf(reader.read(file.name))).toEqual([16 * 1024 * 1024, 1024 * 1024]);
    await expect(openWriter(place("one"), config())).rejects.toThrow("holds a backup already");
  });

  it("leaves nothing when it is aborted", async () => {
    const writer = await openWriter(place("two"), config());
    await writer.write("metadata/owner.copy.gz", megabytes(1));
    await writer.abort();
    const reader = openReader(place("two"), config());
    expect(await contentOf(reader.read("metadata/owner.copy.gz"))).toEqual([]);
  });

  it("needs the server of the attachments, and an address of a bucket with a prefix", async () => {
    await expect(openWriter(place("three"), Config.parse({})))
      .rejects.toThrow("set attachment.storage to REMOTE");
    expect(() => openReader("s3://bucket", config())).toThrow("must be s3://bucket/prefix");
    expect(() => openReader("s3://bucket/a/../b", config())).toThrow("must be s3://bucket/prefix");
  });
});
