import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { guarded } from "#storage/guarded.ts";
import { S3Storage } from "#storage/s3.ts";
import { storageConformance } from "#test/conformance/storage.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { type S3Server, startS3 } from "#test/support/engines/s3.ts";

let server: S3Server;
beforeAll(async () => void (server = await startS3()));
afterAll(() => server.stop());

storageConformance("s3", () => Promise.resolve(new S3Storage(server.options)));

describe("S3Storage", () => {
  const key = randomUUID();
  const bytes = new Uint8Array(10);
  const other = (given: object) => new S3Storage({ ...server.options, ...given });

  it.each([
    ["another secret", { secretKey: "wrong" }, "403 SignatureDoesNotMatch"],
    ["another bucket", { bucket: "nowhere" }, "404 NoSuchBucket"],
  ])("rejects with the code of the server for %s", async (_, given, said) => {
    await expect(other(given).put(key, bytes)).rejects.toThrow(said);
    await expect(other(given).get(key)).rejects.toThrow(said);
    await expect(other(given).delete(key)).rejects.toThrow(said);
  });

  it("keeps instances apart by the prefix of their keys", async () => {
    await other({ prefix: "a/" }).put(key, bytes);
    expect(await other({ prefix: "b/" }).get(key)).toBeNull();
  });

  it("rejects while the server is frozen or gone, and works again afterwards", async () => {
    const hasty = other({ timeoutMs: 200 });
    await hasty.put(key, bytes);
    await server.pause();
    await expect(hasty.get(key)).rejects.toThrow();
    server.resume();
    expect((await other({}).get(key))?.length).toBe(10);
    await server.kill();
    await expect(hasty.put(key, bytes)).rejects.toThrow();
    await server.restart();
    expect((await other({}).get(key))?.length).toBe(10);
  });
});

describe("S3Storage over HTTPS", () => {
  it("believes the authority it is given, and no other", async () => {
    const secured = await startS3(testCertificate());
    try {
      const [key, bytes] = [randomUUID(), new Uint8Array(3)];
      const trusting = new S3Storage(secured.options);
      await trusting.put(key, bytes);
      expect(await trusting.get(key)).toEqual(bytes);
      for (const ca of [undefined, testCertificate().ca]) {
        await expect(new S3Storage({ ...secured.options, ca }).get(key)).rejects.toThrow();
      }
    } finally {
      await secured.stop();
    }
  });
});

describe("guarded", () => {
  it("answers 503 with Retry-After for what fails or is late, and names no secret", async () => {
    const lines: unknown[] = [];
    const log = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const wrong = new S3Storage({ ...server.options, secretKey: "quite wrong" });
    const storage = guarded(wrong, { log, metrics: noMetrics });
    const refused = { status: 503, retryAfter: 5, code: "SYS002" };
    await expect(storage.get(randomUUID())).rejects.toMatchObject(refused);
    await expect(storage.put(randomUUID(), new Uint8Array(1))).rejects.toMatchObject(refused);
    expect(lines).toEqual([
      ["attachment storage is failing", {
        call: "get",
        error: "the server answers 403 SignatureDoesNotMatch",
      }],
    ]);
    const never = { engine: "s3", get: () => new Promise<null>(() => {}) } as unknown as S3Storage;
    const hasty = guarded(never, { log: silentLogger, metrics: noMetrics, timeoutMs: 10 });
    await expect(hasty.get(randomUUID())).rejects.toMatchObject(refused);
  });
});
