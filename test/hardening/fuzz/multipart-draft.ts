import { Buffer } from "node:buffer";
import { pick, type Random, word } from "./words.ts";

/** A multipart body, with what its request says of it. */
export interface Body {
  type: string;
  bytes: Buffer;
}

interface MultipartPart {
  headers: string[];
  content: string;
}

interface Draft {
  parts: MultipartPart[];
  /** In the body, and as the header tells it. */
  boundary: string;
  contentType: string;
  /** After the last part. */
  end: string;
}

const newline = "\r\n";

/** A part that is the chunk of a file. */
const filePart = (content: string, name = "chunk"): MultipartPart => ({
  headers: [
    `content-disposition: form-data; name="file"; filename="${name}"`,
    "content-type: application/octet-stream",
  ],
  content,
});
const textPart = (name: string, content: string): MultipartPart => ({
  headers: [`content-disposition: form-data; name="${name}"`],
  content,
});

function draftOf(index: string, content: string): Draft {
  const boundary = "fuzz-5f3a";
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return {
    parts: [filePart(content), textPart("index", index)],
    boundary,
    contentType,
    end: `--${boundary}--${newline}`,
  };
}

function bodyOf({ parts, boundary, contentType, end }: Draft): Body {
  const text = parts.map(({ headers, content }) =>
    [`--${boundary}`, ...headers, "", content, ""].join(newline)
  );
  return { type: contentType, bytes: Buffer.from(text.join("") + end, "latin1") };
}

/** A body that is taken. */
export const soundBody = (index: string, content: string): Body => bodyOf(draftOf(index, content));

/** None of them is a place beyond the second, so that whatever is taken of them can be completed. */
const indexes = ["-1", "1.0", "1e0", "1000", "1000000", "0x1", "\u0663", "", " 0", "constructor"];

const contents = [
  "",
  "\0".repeat(100),
  "\r\n".repeat(2_000),
  "a\r\n--fuzz-5f3",
  "x".repeat(70_000),
];
const boundaries = [
  "",
  '""',
  "constructor",
  "=".repeat(70),
  "b".repeat(300),
  "a b",
  "\u00fc",
  "--",
];
const names = [
  "../../etc/passwd",
  "C:\\x",
  '"',
  "a\r\nx: y",
  "\0",
  "*=utf-8''%00",
  "x".repeat(9_000),
];
const odd = ["content-disposition", ":", "x".repeat(20_000), "content-transfer-encoding: base64"];

type Mutation = (draft: Draft, random: Random) => void;

const partOf = ({ parts }: Draft, random: Random) => pick(random, parts);

/** Each leaves a draft that still is one. */
const mutations: Mutation[] = [
  (draft, random) =>
    draft.contentType = `multipart/form-data; boundary=${pick(random, boundaries)}`,
  (draft, random) => draft.boundary = pick(random, [...boundaries, "fuzz-5f3", "fuzz-5f3a-"]),
  (draft, random) =>
    draft.contentType = pick(random, ["multipart/form-data", "multipart/mixed", "text/plain", "x"]),
  (draft, random) => draft.end = pick(random, ["", "--", "--fuzz-5f3a", "--fuzz-5f3a--x", newline]),
  (draft, random) => draft.parts.push(pick(random, [filePart("again"), textPart("index", "0")])),
  (draft, random) => draft.parts.push(textPart(word(random), "x")),
  (draft, random) =>
    draft.parts.push(...Array.from({ length: 40 }, (_, n) => textPart(`p${n}`, word(random)))),
  (draft) => draft.parts.reverse(),
  (draft) => void draft.parts.pop(),
  (draft) => void draft.parts.shift(),
  (draft) => draft.parts = [],
  (draft, random) => draft.parts.unshift(filePart("named", pick(random, [...names, word(random)]))),
  (draft, random) => {
    const index = draft.parts.at(-1);
    if (index) index.content = pick(random, [...indexes, word(random).replace(/^\d+$/, "-1")]);
  },
  (draft, random) => {
    for (const part of draft.parts) part.content = pick(random, contents);
  },
  (draft, random) => void partOf(draft, random)?.headers.push(pick(random, odd)),
  (draft, random) => {
    const part = partOf(draft, random);
    if (part) part.headers = Array.from({ length: 60 }, (_, n) => `x-${n}: ${word(random)}`);
  },
  (draft, random) => {
    const part = partOf(draft, random);
    if (part) part.headers = pick(random, [[], ["content-disposition: attachment"], ["x"]]);
  },
];

/** A body of a chunk that was sound once. */
export function hostileBody(random: Random): Body {
  const draft = draftOf(pick(random, ["0", "1", "00", "000001"]), word(random));
  for (let n = Math.floor(random() * 3); n >= 0; n--) pick(random, mutations)(draft, random);
  const body = bodyOf(draft);
  if (random() < 0.75) return body;
  return { ...body, bytes: body.bytes.subarray(0, Math.floor(random() * body.bytes.length)) };
}
