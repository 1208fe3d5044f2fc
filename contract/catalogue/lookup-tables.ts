import { z } from "@hono/zod-openapi";
import { Namespace, optional, pageOf } from "#contract/catalogue/common.ts";
import { Id, Timestamp } from "#contract/http.ts";

/** What the cells of a column may hold. */
const lookupFieldTypes = [
  "VARCHAR",
  "INTEGER",
  "SERIAL",
  "DECIMAL",
  "BOOLEAN",
  "DATE",
  "TIME",
  "JSON",
  "UUID",
] as const;
export type LookupFieldType = (typeof lookupFieldTypes)[number];
export const LookupTableFieldType = z.enum(lookupFieldTypes).openapi("LookupTableFieldType");

export const LookupTableField = z.object({
  field_id: Id,
  dataset_field_id: Id,
  name: z.string(),
  description: optional(z.string()),
  field_type: LookupTableFieldType,
  is_primary_key: optional(z.boolean()),
  is_nullable: optional(z.boolean()),
  is_unique: optional(z.boolean()),
  default_value: optional(z.string()),
}).openapi("LookupTableField");

export const LookupTable = z.object({
  table_id: Id,
  dataset_id: Id,
  name: optional(z.string()),
  description: optional(z.string()),
  namespace: Namespace,
  fields: z.array(LookupTableField),
  created_at: optional(Timestamp),
  updated_at: optional(Timestamp),
}).openapi("LookupTable");
export const LookupTableList = pageOf("LookupTableList", LookupTable);

/** An empty cell is an empty text. */
export const LookupTableRowColumnData = z.object({ field_id: Id, value: z.string() })
  .openapi("LookupTableRowColumnData");
export const LookupTableRow = z.object({
  row_id: Id,
  items: z.array(LookupTableRowColumnData),
}).openapi("LookupTableRow");
export const LookupTableRowList = pageOf("LookupTableRowList", LookupTableRow);
