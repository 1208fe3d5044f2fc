import { describe, expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { BodyReader } from "#platform/http/body.ts";

const statusOf = (error: unknown) => (error instanceof AppError ? error.status : String(error));
const post = (body: BodyInit) => new Request("http://localhost/", { method: "POST", body });
const reader = (maxBytes: number) => new BodyReader({ maxBytes, timeoutMs: 5_000 });

describe("BodyReader", () => {
  it("refuses with 503 what is more than eight of the largest bodies at once, then takes again", async () => {
    const taker = reader(1_000);
    const letGo = Promise.withResolvers<void>();
    const body = () => post(new Uint8Array(1_000));
    const pending: Promise<void>[] = [];
    for (let n = 0; n < 8; n++) {
      await new Promise<void>((handedOver) => {
        pending.push(taker.read(body(), () => {
          handedOver();
          return letGo.promise;
        }));
      });
    }
    const refused = await taker.read(body(), () => Promise.resolve("taken")).catch(statusOf);
    expect(refused).toBe(503);
    letGo.resolve();
    await Promise.all(pending);
    expect(await taker.read(body(), () => Promise.resolve("taken"))).toBe("taken");
  });

  it("reads on to the end before it refuses an encoding, so that the client reads why", async () => {
    let left = 5;
    const body = new ReadableStream({
      pull(stream) {
        if (left-- > 0) stream.enqueue(new Uint8Array(100));
        else stream.close();
      },
    }, { highWaterMark: 0 });
    const headers = { "content-encoding": "br" };
    const request = new Request("http://localhost/", { method: "POST", body, headers });
    const refused = await reader(1_000).read(request, () => Promise.resolve("taken"))
      .catch(statusOf);
    expect([refused, left]).toEqual([415, -1]);
  });

  it("answers 400 when the connection breaks within the body", async () => {
    const broken = new ReadableStream({
      start: (stream) => stream.error(new Error("connection reset")),
    });
    const request = new Request("http://localhost/", { method: "POST", body: broken });
    const refused = await reader(10).read(request, () => Promise.resolve(200)).catch(
      statusOf,
    );
    expect(refused).toBe(400);
  });

  describe("of a short body whose length is announced", () => {
    const announced = (body: BodyInit, length: number) =>
      new Request("http://localhost/", {
        method: "POST",
        body,
        headers: { "content-length": String(length) },
      });
    const length = (body: Uint8Array) => Promise.resolve(body.length);
    const never = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });

    it("takes it", async () => {
      expect(await reader(10).read(announced("0123456789", 10), length)).toBe(10);
    });

    it("refuses it above the limit", async () => {
      expect(await reader(9).read(announced("0123456789", 10), length).catch(statusOf)).toBe(400);
    });

    it("answers 408 when it does not come in time", async () => {
      const hasty = new BodyReader({ maxBytes: 10, timeoutMs: 1 });
      expect(await hasty.read(announced(never(), 10), length).catch(statusOf)).toBe(408);
    });

    it("answers 400 when the connection breaks within it, or when there is none", async () => {
      const broken = new ReadableStream({
        start: (stream) => stream.error(new Error("connection reset")),
      });
      expect(await reader(10).read(announced(broken, 10), length).catch(statusOf)).toBe(400);
      expect(await reader(10).read(announced("", 0), length).catch(statusOf)).toBe(400);
    });

    it("counts it as held while it is used", async () => {
      const taker = reader(1_000);
      const letGo = Promise.withResolvers<void>();
      const startRead = (bytes: number) => {
        const begun = Promise.withResolvers<void>();
        const pending = taker.read(announced(new Uint8Array(bytes), bytes), () => {
          begun.resolve();
          return letGo.promise;
        });
        return { pending, begun: begun.promise };
      };
      const all = Array.from({ length: 8 }, () => startRead(1_000));
      await Promise.all(all.map(({ begun }) => begun));
      expect(await startRead(1).pending.catch(statusOf)).toBe(503);
      letGo.resolve();
      await Promise.all(all.map(({ pending }) => pending));
    });
  });
});
