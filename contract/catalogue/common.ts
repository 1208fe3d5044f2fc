import { z } from "@hono/zod-openapi";
import { Id, PageInfo, Timestamp } from "#contract/http.ts";

/**
 * A member that may be null. A named shape becomes a union with null, because the OpenAPI document
 * would publish `.nullable()` of a referenced shape as never null.
 */
export function nullable<T extends z.ZodType>(schema: T): z.ZodNullable<T> {
  const plain = schema instanceof z.ZodString || schema instanceof z.ZodNumber ||
    schema instanceof z.ZodBoolean;
  return plain ? schema.nullable() : z.union([schema, z.null()]) as unknown as z.ZodNullable<T>;
}

/**
 * An optional member of an answer. The service writes null for it; clients must accept null and
 * absence. A member that the service itself leaves out is declared with `.optional()` alone. Tests
 * check both.
 */
export function optional<T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodNullable<T>> {
  return nullable(schema).optional();
}

const given = new WeakSet<z.ZodType>();

/** A stored shape that is answered as it was written: a member left out then stays left out. */
export function asGiven<T extends z.ZodType>(schema: T): T {
  given.add(schema);
  return schema;
}

export function isAsGiven(schema: z.ZodType): boolean {
  return given.has(schema);
}

/** A page of a list. */
export function pageOf<T extends z.ZodType>(name: string, item: T) {
  return z.object({ items: z.array(item), page_info: PageInfo }).openapi(name);
}

/** A count or another whole number of 64 bits. */
export const Long = z.number().int().openapi({ format: "int64" });
/** An integer from a payload; answers keep all its digits, even beyond 2^53. */
export const PayloadInteger = z.number().openapi({ type: "integer", format: "int64" });
/** A whole number of 32 bits. */
export const Int = z.number().int().openapi({ format: "int32" });

/** Counts of everything, and of what concerns the caller's entities and those around them. */
export const countsForUser = {
  total_count: Long,
  my_objects_count: Long,
  downstream_count: Long,
  upstream_count: Long,
};

export const Namespace = z.object({ id: Id, name: z.string() }).openapi("Namespace");
export const NamespaceList = pageOf("NamespaceList", Namespace);

export const Token = z.object({
  id: Id,
  value: z.string().openapi({
    description: "Whole in the answer that made it; a mask that is no token in every other",
  }),
  hint: z.string().openapi({ description: "Its last four characters" }),
  created_by: optional(z.string()),
  created_at: Timestamp,
  updated_by: optional(z.string()),
  updated_at: Timestamp,
}).openapi("Token");

export const DataSourceSafe = z.object({
  id: Id,
  namespace: optional(Namespace),
  catrn: z.string(),
  name: z.string(),
  description: optional(z.string()),
}).openapi("DataSourceSafe");

/** `token` is null outside data source answers, and for a source that uses its collector's token. */
export const DataSource = z.object({
  id: Id,
  namespace: optional(Namespace),
  token: nullable(Token),
  catrn: z.string(),
  name: z.string(),
  description: optional(z.string()),
}).openapi("DataSource");
export const DataSourceList = pageOf("DataSourceList", DataSource);

/**
 * What has come from a data source, or from all sources of a collector: its assets, counted up to a bound, and the names of
 * the sources that have any.
 */
export const DataSourceArrivals = z.object({
  assets_count: Long,
  assets_at_least: z.boolean(),
  data_sources: z.array(z.string()),
}).openapi("DataSourceArrivals");

export const Collector = z.object({
  id: Id,
  namespace: optional(Namespace),
  token: Token,
  name: z.string(),
  description: optional(z.string()),
}).openapi("Collector");
export const CollectorList = pageOf("CollectorList", Collector);

export const Tag = z.object({
  id: Id,
  name: z.string(),
  important: optional(z.boolean()),
  external: optional(z.boolean()),
  usedCount: optional(Long),
}).openapi("Tag");
export const TagList = z.array(Tag).openapi("TagList");
export const TagsResponse = z.object({ items: TagList, page_info: PageInfo }).openapi(
  "TagsResponse",
);

export const MetadataFieldType = z.enum([
  "INTEGER",
  "STRING",
  "DATETIME",
  "FLOAT",
  "BOOLEAN",
  "ARRAY",
  "JSON",
]).openapi("MetadataFieldType");
export const MetadataFieldOrigin = z.enum(["EXTERNAL", "INTERNAL"]).openapi("MetadataFieldOrigin");
export const MetadataField = z.object({
  id: Id,
  name: z.string(),
  type: MetadataFieldType,
  origin: optional(MetadataFieldOrigin),
}).openapi("MetadataField");
export const MetadataFieldValue = z.object({ field: MetadataField, value: z.string() })
  .openapi("MetadataFieldValue");
export const MetadataFieldList = z.object({
  items: z.array(MetadataField),
  page_info: optional(PageInfo),
}).openapi("MetadataFieldList");
