import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { faultOf, send, type ServerResponse } from "../send.ts";
import type { Input } from "./input.ts";
import { type Body, hostileBody, soundBody } from "./multipart-draft.ts";
import { rawAnswer, rawFault, rawStatus } from "./raw.ts";
import { pick, type Random, word } from "./words.ts";
import type { FuzzWorld } from "./world.ts";

/** A file that is uploaded or imported, by a client that means harm or is cut off. */
export function multipartInput(world: FuzzWorld, random: Random): Input {
  const roll = random();
  if (roll < 0.15) return csvInput(world, random);
  return roll < 0.7 ? chunkInput(random) : rawChunkInput(random);
}

/** What became of the hostile part of a journey. */
interface Outcome {
  fault: string | null;
  /** Whether the service took it. */
  taken: boolean;
}

const outcomeOf = (response: ServerResponse): Outcome => ({
  fault: faultOf(response),
  taken: response.status === 200,
});

function chunkInput(random: Random): Input {
  const name = random() < 0.3 ? word(random) : "fuzz.bin";
  const { type, bytes } = hostileBody(random);
  const headers: Record<string, string> = random() < 0.1 ? { "content-encoding": "gzip" } : {};
  const body = headers["content-encoding"] && random() < 0.5 ? gzipSync(bytes) : bytes;
  return {
    entrance: "files, chunk",
    shown: `${JSON.stringify(name)} ${type}\n${bytes.toString("latin1")}`,
    send: (world) =>
      journey(world, name, async (url) => outcomeOf(await send(url, { body, type, headers }))),
  };
}

/** What a request may declare of its length, whatever comes. */
const lengths = [
  "9007199254740993",
  "99999999999999999999",
  "1000000000",
  "20000001",
  "-1",
  "0x10",
];

function rawChunkInput(random: Random): Input {
  const { type, bytes } = random() < 0.5 ? hostileBody(random) : soundBody("0", "never whole");
  const length = random() < 0.6
    ? `content-length: ${pick(random, lengths)}`
    : `transfer-encoding: chunked\r\n\r\n${pick(random, ["fffffffff", "-1", "zz", "5;x="])}`;
  // The address is known only when it is sent.
  const text = `HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: ${type}\r\n${length}\r\n\r\n`;
  return {
    entrance: "files, chunk as no library writes it",
    shown: text + bytes.toString("latin1"),
    send: (world) =>
      journey(world, "fuzz.bin", async (url) => {
        const line = `POST ${new URL(url).pathname} `;
        const answer = await rawAnswer(url, Buffer.concat([Buffer.from(line + text), bytes]), 500);
        return { fault: rawFault(answer), taken: rawStatus(answer) === 200 };
      }),
  };
}

const content = "what a sound client sends";

/**
 * Begins an upload, has a hostile chunk sent to it, and then uploads it as it should be: what was refused must be no
 * part of the file. Deletes the file.
 */
async function journey(
  { subject, filed }: FuzzWorld,
  name: string,
  hostile: (url: string) => Promise<Outcome>,
): Promise<string | null> {
  const files = `${subject.url}/api/dataentities/${filed}/files`;
  const begun = await send(`${files}/uploads`, { body: JSON.stringify({ fileName: name }) });
  if (begun.status !== 200) return faultOf(begun, [200, 400]);
  const upload = `${files}/uploads/${JSON.parse(begun.text).id}`;
  const { fault, taken } = await hostile(`${upload}/chunks`);
  const { type, bytes: body } = soundBody("0", content);
  let sound = await send(`${upload}/chunks`, { body, type });
  // A connection that the service closed on a body which it did not read whole may have been taken again.
  if (sound.status === 0) sound = await send(`${upload}/chunks`, { body, type });
  const whole = await send(upload, { method: "PUT" });
  if (sound.status !== 200 || whole.status !== 200) {
    return fault ?? `no file any more: ${sound.status} ${sound.text} ${whole.status} ${whole.text}`;
  }
  const file = `${files}/${JSON.parse(whole.text).id}`;
  const read = await send(file, { method: "GET" });
  const gone = await send(file, { method: "DELETE" });
  if (!taken && read.text !== content) return fault ?? `the file holds ${read.text.slice(0, 200)}`;
  return fault ?? faultOf(read, [200]) ?? faultOf(gone, [204]);
}

const cells = ['"', '"a', "a\r", "\0", "=1", "'", "\ufeff", ",".repeat(500), "x".repeat(40_000)];

/** A file of the lookup table that there is: of odd cells, of another type, cut off, or longer than it says. */
function csvInput(world: FuzzWorld, random: Random): Input {
  const table = world.known.get("lookup_table_id")?.[0] ?? "1";
  const mode = pick(random, ["", "?mode=append", "?mode=replace", "?mode=constructor"]);
  const lines = Array.from({ length: 3 }, () => `${pick(random, cells)},${word(random)}`);
  const text = [pick(random, ["a,n", "a,a", word(random)]), ...lines].join("\r\n");
  const plain = random() < 0.3 ? hostileBody(random) : csvBody(text);
  const packed = random() < 0.3;
  const whole = packed ? gzipSync(plain.bytes) : plain.bytes;
  const bytes = random() < 0.3 ? whole.subarray(0, Math.floor(random() * whole.length)) : whole;
  const headers: Record<string, string> = packed ? { "content-encoding": "gzip" } : {};
  const path = `/api/referencedata/table/${table}/data/import${mode}`;
  return {
    entrance: "files, CSV",
    shown: `${path} ${plain.type}\n${text}`,
    send: async ({ subject }) =>
      faultOf(await send(subject.url + path, { body: bytes, type: plain.type, headers })),
  };
}

const csvBody = (text: string): Body => ({
  type: "text/csv",
  bytes: Buffer.from(text.toWellFormed()),
});
