import { z } from "zod";

export const Config = z.object({
  defaults: z.record(z.string(), z.unknown()).nullish(),
  overrides: z.record(z.string(), z.unknown()).nullish(),
});
export const Token = z.object({ access_token: z.string().min(1) });

const pageToken = z.string().nullish();
export const Namespaces = z.object({
  namespaces: z.array(z.array(z.string()).min(1)),
  "next-page-token": pageToken,
});
export const Tables = z.object({
  identifiers: z.array(z.object({ namespace: z.array(z.string()), name: z.string().min(1) })),
  "next-page-token": pageToken,
});

/** A type: the name of a primitive one, or an object. */
export const Field = z.object({
  id: z.int(),
  name: z.string(),
  required: z.boolean(),
  type: z.unknown(),
  doc: z.string().nullish(),
  "write-default": z.unknown().optional(),
});
export type Field = z.output<typeof Field>;

export const Schema = z.object({
  "schema-id": z.int().catch(0),
  fields: z.array(Field),
  "identifier-field-ids": z.array(z.int()).nullish(),
});
export type Schema = z.output<typeof Schema>;

const PartitionSpec = z.object({
  "spec-id": z.int(),
  fields: z.array(
    z.object({ "source-id": z.int().nullish(), name: z.string(), transform: z.string() }),
  ),
});

/** Numbers of snapshots are larger than a double holds: good for comparing, not for showing. */
const Snapshot = z.object({
  "snapshot-id": z.number(),
  "timestamp-ms": z.number(),
  summary: z.record(z.string(), z.string()).nullish().transform((value) =>
    new Map(Object.entries(value ?? {}))
  ),
});

/**
 * The part of a table's metadata that is read. In addition, a server may send credentials of its files (`config`), which
 * nothing here looks at.
 */
export const Table = z.object({
  metadata: z.object({
    "format-version": z.int(),
    "table-uuid": z.string().nullish(),
    location: z.string().nullish(),
    schemas: z.array(Schema).nullish(),
    schema: Schema.nullish(),
    "current-schema-id": z.int().nullish(),
    "partition-specs": z.array(PartitionSpec).nullish(),
    "default-spec-id": z.int().nullish(),
    snapshots: z.array(Snapshot).nullish(),
    "current-snapshot-id": z.number().nullish(),
    properties: z.record(z.string(), z.string()).nullish().transform((value) =>
      new Map(Object.entries(value ?? {}))
    ),
  }),
});
export type TableMetadata = z.output<typeof Table>["metadata"];
