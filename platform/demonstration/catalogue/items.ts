import { own } from "#kit/own.ts";
import type { Column } from "./tables.ts";

/** An item of a batch, in the form in which collectors send it. */
export type Item = Record<string, unknown>;

/** All items of one data source. */
export interface Source {
  catrn: string;
  name: string;
  description: string;
  items: Item[];
}

const written = "2026-01-05T08:00:00Z";
const changed = "2026-11-02T06:30:00Z";
const metadataSchema = "https://tributary.example/schemas/demo.json";

interface CommonFields {
  description?: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

/** An item with the fields that every item has. */
export function item(
  catrn: string,
  name: string,
  type: string,
  common: CommonFields,
  part: Item,
): Item {
  const { description, tags = [], metadata } = common;
  return {
    catrn,
    name,
    type,
    description,
    created_at: written,
    updated_at: changed,
    tags: tags.map((tag) => ({ name: tag })),
    metadata: metadata ? [{ schema_url: metadataSchema, metadata }] : [],
    ...part,
  };
}

/** The dataset part of an item with its fields; the first field is the key. */
export function dataset(catrn: string, columns: Column[], rows?: number): Item {
  return {
    dataset: {
      rows_number: rows,
      field_list: columns.map(([name, type, description], at) => ({
        catrn: `${catrn}/columns/${name}`,
        name,
        description,
        type: { type, logical_type: own(logicalTypes, type), is_nullable: at > 0 },
        is_primary_key: at === 0 && name === "id",
      })),
    },
  };
}

const logicalTypes: Record<string, string> = {
  TYPE_INTEGER: "bigint",
  TYPE_STRING: "text",
  TYPE_NUMBER: "numeric(18,2)",
  TYPE_DATETIME: "timestamptz",
  TYPE_BOOLEAN: "boolean",
};

export const transformer = (inputs: string[], outputs: string[], sql?: string): Item => ({
  data_transformer: { inputs, outputs, sql },
});

/** A group of the given members. */
export const group = (members: string[], parent?: string): Item => ({
  data_entity_group: { entities_list: members, group_catrn: parent },
});

/** A run that lasted ten minutes and began `hoursAgo` hours before `now`. */
export function run(now: number, hoursAgo: number, status: string, reason?: string): Item {
  const start = now - hoursAgo * 3_600_000;
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 600_000).toISOString(),
    status,
    status_reason: reason,
  };
}
