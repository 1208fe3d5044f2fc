import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { Timestamp } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";
import {
  maxFileName,
  maxLinkName,
  maxLinksPerRequest,
  maxLinkUrl,
} from "#services/api/features/attachments/bounds.ts";
import { displayName, hasUnseen } from "#services/api/features/attachments/names.ts";

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

const schemes = new Set(["http:", "https:", "mailto:"]);

/** An address that a browser may be sent to; anything that runs, or reads files of the reader, is refused. */
const LinkUrl = givenText({ min: 1, max: maxLinkUrl })
  .refine((text) => !hasUnseen(text) && !/[\s<>"\\]/.test(text), {
    error: "must hold no blanks, quotes, backslashes, or characters that are not seen",
  })
  .refine((text) => schemes.has(URL.parse(text)?.protocol ?? ""), {
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
