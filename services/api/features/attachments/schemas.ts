import { z } from "@hono/zod-openapi";
import { filetypemime } from "magic-bytes.js";
import { boundedArray } from "#contract/bounded.ts";
import { Timestamp } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";
import {
  maxFileName,
  maxLinkName,
  maxLinksPerRequest,
  maxLinkUrl,
} from "#services/api/features/attachments/limits.ts";

/** A file of an entity. `size` in bytes; `media_type` by its first bytes. */
export const DataEntityFile = z.object({
  id: z.number().int(),
  name: z.string(),
  size: z.number().int(),
  media_type: z.string(),
  created_at: Timestamp,
}).openapi("DataEntityFile");

export const DataEntityLink = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
}).openapi("DataEntityLink");

export const DataEntityAttachments = z.object({
  files: z.array(DataEntityFile),
  links: z.array(DataEntityLink),
}).openapi("DataEntityAttachments");

/** `maxSize` in bytes. */
export const DataEntityUploadOptions = z.object({ maxSize: z.number().int() })
  .openapi("DataEntityUploadOptions");

export const DataEntityUpload = z.object({ id: z.uuid() }).openapi("DataEntityUpload");

/** The name is made safe: the client's folders and characters that are not seen are left out. */
export const DataEntityUploadForm = z.object({
  fileName: givenText({ min: 1, max: maxFileName }).transform(displayName)
    .refine((name) => name !== "", { error: "must name a file" }),
}).openapi("DataEntityUploadFormData");

/** Documented only: the parts are read as they come. */
export const DataEntityFileChunkForm = z.object({
  file: z.string().openapi({ format: "binary", description: "Bytes of the chunk" }),
  index: z.string().openapi({ description: "Place of the chunk in the file, from 0" }),
}).openapi("DataEntityFileChunkFormData");

const linkSchemes = new Set(["http:", "https:", "mailto:"]);

/** An address that a browser may be sent to; anything that runs, or reads files of the reader, is refused. */
const LinkUrl = givenText({ min: 1, max: maxLinkUrl })
  .refine((text) => !hasUnseen(text) && !/[\s<>"\\]/.test(text), {
    error: "must hold no blanks, quotes, backslashes, or characters that are not seen",
  })
  .refine((text) => linkSchemes.has(URL.parse(text)?.protocol ?? ""), {
    error: "must be an address that begins with http://, https:// or mailto:",
  });

export const DataEntityLinkForm = z.object({
  name: givenText({ min: 1, max: maxLinkName }).refine((text) => !hasUnseen(text), {
    error: "must hold no characters that are not seen",
  }),
  url: LinkUrl,
}).openapi("DataEntityLinkFormData");
export type DataEntityLinkForm = z.output<typeof DataEntityLinkForm>;

export const DataEntityLinkListForm = z.object({
  items: boundedArray(DataEntityLinkForm, maxLinksPerRequest),
}).openapi("DataEntityLinkListFormData");

/** Controls, the marks that turn the direction of text, and other characters that show nothing. */
const unseen =
  // deno-lint-ignore no-control-regex -- these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** What some file systems refuse within a name. */
const unsafe = /[<>:"|?*]/g;

/** Names that mean devices on some systems, with any extension. */
const device = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i;

/** Longest name on the usual file systems, bytes of UTF-8. */
const maxNameBytes = 255;
const maxExtension = 20;

/**
 * The name under which a file is shown and saved, made of the one that a client gave: without folders, without
 * characters that are not seen, and such that every usual system can save it. Empty when nothing is left.
 */
export function displayName(given: string): string {
  const last = given.normalize("NFC").split(/[\\/]/).at(-1)!;
  const clean = withoutEnd(last.replace(unseen, "").replace(unsafe, "_").trim());
  return shortened(clean.replace(device, "_$&"));
}

/** Without dots and blanks at its end, which some systems drop. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && ". ".includes(name[end - 1]!)) end--;
  return name.slice(0, end);
}

/** Cuts the middle, so that the file extension stays. */
function shortened(name: string): string {
  if (bytesOf(name) <= maxNameBytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= maxExtension ? name.slice(dot) : "";
  let stem = "";
  let left = maxNameBytes - bytesOf(extension);
  for (const character of name.slice(0, name.length - extension.length)) {
    left -= bytesOf(character);
    if (left < 0) break;
    stem += character;
  }
  return stem + extension;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Whether a text holds characters that are not seen. */
function hasUnseen(text: string): boolean {
  return text.search(unseen) >= 0;
}

/** What files are, unless their first bytes say otherwise. */
export const unknownType = "application/octet-stream";

/**
 * The recognized types; browsers show all of them without running anything. Any other file is
 * sent as bytes.
 */
export const knownTypes = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
  "application/zip",
  "application/gzip",
];

/** Bytes at the beginning of a file from which its type is detected. */
export const headBytes = 4_096;

/** The type of a file by its first bytes alone; nothing is unpacked or decoded. */
export function mediaTypeOf(head: Uint8Array): string {
  const guessed = new Set(filetypemime(head.subarray(0, headBytes)));
  return knownTypes.find((type) => guessed.has(type)) ?? unknownType;
}
