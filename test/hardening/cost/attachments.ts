import { Buffer } from "node:buffer";
import { send } from "../send.ts";
import type { Subject } from "../subject.ts";
import { type CostCase, mebibyte } from "./case.ts";

const boundary = "cost";
/** As large as a file may be, less what stands around it. */
const size = 19 * mebibyte;
const filled = (unit: string, bytes = size) => unit.repeat(Math.floor(bytes / unit.length));
const file = 'content-disposition: form-data; name="file"; filename="f"\r\n\r\n';
const chunk = (content: string) => `--${boundary}\r\n${file}${content}\r\n`;

/** Chunks that cost a parser, or the storage, in a way of their own. */
const chunks: [what: string, body: () => string, alike?: boolean][] = [
  ["one large file", () => chunk(filled("x"))],
  ["what is almost a boundary", () => chunk(filled(`\r\n--${boundary.slice(0, -1)}`))],
  ["empty lines", () => chunk(filled("\r\n")), true],
  ["boundaries and nothing else", () => filled(`--${boundary}\r\n`)],
  ["files without content", () => filled(chunk(""))],
  ["a header that does not end", () => `--${boundary}\r\nx: ${filled("y")}`],
  ["headers of one part", () => `--${boundary}\r\n${filled("x: y\r\n")}`],
  ["nothing that is a part", () => filled("-"), true],
];

/** Begins an upload of an entity; where its chunks go. */
async function uploadOf({ url, shop }: Subject): Promise<string> {
  const uploads = `${url}/api/dataentities/${await shop.id("a")}/files/uploads`;
  const { text } = await send(uploads, { body: JSON.stringify({ fileName: "cost" }) });
  return `${uploads}/${JSON.parse(text).id}/chunks`;
}

/** Chunks of files as their makers should not write them, sent as they are and compressed. */
export function attachmentCases(): CostCase[] {
  return chunks.flatMap(([what, body, alike]) =>
    [false, true].map((gzip): CostCase => ({
      name: `POST …/files/uploads/{id}/chunks: ${what}${gzip ? ", compressed" : ""}`,
      declared: [200, 400, 413],
      alike: alike || gzip,
      async send(subject) {
        const path = await uploadOf(subject);
        const end =
          `--${boundary}\r\ncontent-disposition: form-data; name="index"\r\n\r\n0\r\n--${boundary}--\r\n`;
        const type = `multipart/form-data; boundary=${boundary}`;
        return await send(path, { body: Buffer.from(body() + end, "latin1"), type, gzip });
      },
    }))
  );
}
