import { describe, expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { maxEnvelope, type MultipartOptions, readMultipart } from "#platform/http/multipart.ts";

const options: MultipartOptions = {
  file: "file",
  fields: ["index"],
  maxBytes: 1_000_000,
  timeoutMs: 5_000,
};
const boundary = "xxYYxx";
const type = `multipart/form-data; boundary=${boundary}`;
const file = (content: string, name = "file") =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const end = `--${boundary}--\r\n`;

/** A request whose body comes in parts of `size` bytes; `then` is what happens after the last one. */
function requestOf(body: string, { size = 7, then = "end", headers = {} } = {}): Request {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) return controller.enqueue(bytes.slice(at, at += size));
      if (then === "end") return controller.close();
      if (then === "break") return controller.error(new Error("connection reset"));
      return new Promise(() => {});
    },
  });
  const init = { method: "POST", body: stream, duplex: "half" };
  return new Request("http://localhost/", {
    ...init,
    headers: { "content-type": type, ...headers },
  } as RequestInit);
}

async function collected(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of bytes) text += new TextDecoder().decode(chunk);
  return text;
}

const read = (body: string, given: Parameters<typeof requestOf>[1] = {}, over = {}) =>
  readMultipart(requestOf(body, given), { ...options, ...over }, collected);

describe("readMultipart", () => {
  it.each([
    ["the field first", field("index", "3") + file("content") + end],
    ["the file first", file("content") + field("index", "3") + end],
    ["lines that look like a boundary", file("content") + field("index", "3") + end + "more"],
  ])("reads file and fields: %s", async (_, body) => {
    for (const size of [1, 7, 100_000]) {
      const form = await read(body, { size });
      expect([form.file, ...form.fields]).toEqual(["content", ["index", "3"]]);
    }
  });

  it("tells an empty file from none", async () => {
    expect((await read(file("") + end)).file).toBe("");
    expect((await read(field("index", "1") + end)).file).toBeUndefined();
  });

  it.each([
    ["no boundary", { headers: { "content-type": "multipart/form-data" } }, end, /cannot be read/],
    ["no end", {}, file("content"), /cannot be read/],
    ["an end within the headers", {}, `--${boundary}\r\ncontent-dis`, /cannot be read/],
    ["nothing of it", {}, "hello", /cannot be read/],
    ["a connection that ends", { then: "break" }, file("content"), /connection reset/],
    ["another part", {}, field("other", "1") + end, /other: is no part/],
    ["another file", {}, file("x", "second") + end, /second: is no part/],
    ["two files", {}, file("x") + file("y") + end, /more parts/],
    [
      "a field twice",
      {},
      field("index", "1") + field("index", "2") + end,
      /index: must be given once/,
    ],
    ["a long field", {}, field("index", "1".repeat(2_000)) + end, /index: must be at most/],
    ["many parts", {}, field("index", "1").repeat(50) + end, /index: must be given once/],
  ])("400 for %s", async (_, given, body, said) => {
    const refused = await read(body, given).catch((error) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(said)]);
  });

  it("413 naming the file beyond its size, wherever the body is cut", async () => {
    const content = "x".repeat(2_000);
    expect((await read(file(content) + end, { size: 300 }, { maxBytes: 2_000 })).file).toBe(
      content,
    );
    const padded = field("index", "1") + file("x".repeat(2_000 + maxEnvelope)) + end;
    for (const body of [file(`${content}y`) + end, padded]) {
      await expect(read(body, { size: 300 }, { maxBytes: 2_000 })).rejects.toMatchObject({
        status: 413,
        details: [{ field: "file", message: "must be at most 2000 bytes" }],
      });
    }
  });

  it("415 for a body that is encoded, 408 for one that does not come", async () => {
    await expect(read(end, { headers: { "content-encoding": "br" } }))
      .rejects.toMatchObject({ status: 415 });
    await expect(read(file("half").slice(0, -4), { then: "wait" }, { timeoutMs: 100 }))
      .rejects.toMatchObject({ status: 408 });
  });

  it("takes no more than is used, and ends with the error of whoever uses it", async () => {
    let taken = 0;
    const body = file("x".repeat(900_000)) + end;
    const reading = readMultipart(requestOf(body, { size: 1_000 }), options, async (bytes) => {
      for await (const chunk of bytes) {
        taken += chunk.length;
        throw new Error("storage is down");
      }
    });
    await expect(reading).rejects.toThrow("storage is down");
    expect(taken).toBeLessThan(200_000);
  });

  it("rejects only after the use of a file that broke off has ended", async () => {
    const steps: string[] = [];
    const request = requestOf(file("x".repeat(500_000)).slice(0, -10), {
      then: "break",
      size: 999,
    });
    await readMultipart(request, options, async (bytes) => {
      try {
        for await (const _ of bytes) steps[0] = "used";
      } finally {
        await new Promise((later) => setTimeout(later, 20));
        steps.push("ended");
      }
    }).catch(() => steps.push("rejected"));
    expect(steps).toEqual(["used", "ended", "rejected"]);
  });
});
