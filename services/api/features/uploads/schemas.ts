import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { givenName } from "#contract/text.ts";

export const FileDescriptionForm = z.object({
  file: z.instanceof(File).openapi({
    type: "string",
    format: "binary",
    description:
      "A file of Parquet, CSV, TSV or JSON lines, text also as gzip; or its end (Parquet), or its beginning (text)",
  }),
  name: givenName({ min: 1, max: 255 }).optional().openapi({
    description: "Name of the dataset; that of the file unless given",
  }),
  size: z.string().regex(/^\d{1,15}$/).transform(Number).optional().openapi({
    type: "string",
    description: "Bytes of the whole file, where a part of it is sent",
  }),
}).openapi("FileDescriptionFormData");
export type FileDescriptionForm = z.output<typeof FileDescriptionForm>;

export const DescribedFile = z.object({
  catrn: z.string(),
  name: z.string(),
  rows: optional(z.number().int()),
  fields: z.array(z.object({ name: z.string(), type: z.string() })),
}).openapi("DescribedFile");
