import type { z } from "@hono/zod-openapi";
import type { fieldTypes } from "#contract/entities.ts";
import type { IngestedMetricSetList } from "#contract/ingestion/others.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { canonical, sha256 } from "#kit/canonical.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";

/** An item of a batch, as collectors write it. */
export type Item = z.input<typeof DataEntity>;
/** Metrics of one entity or field, as collectors post them. */
export type MetricSet = z.input<typeof IngestedMetricSetList>["items"][number];

/** What is posted of one subject. */
export interface MappedItems {
  items: Item[];
  /** Figures, which are no part of batches. */
  metrics: MetricSet[];
  /** Equal for equal items and figures; null when there is nothing to post. */
  hash: string | null;
  /** When it is to be mapped again without another event, milliseconds since the epoch. */
  dueAt: number | null;
}

/** An item as it stands in a batch. */
export interface PostedText {
  catrn: string;
  json: string;
  /** Groups follow their members. */
  isGroup: boolean;
}

export function postedText(item: Item): PostedText {
  return {
    catrn: item.catrn,
    json: JSON.stringify(item),
    isGroup: item.data_entity_group !== undefined && item.data_entity_group !== null,
  };
}

/** Items and figures with their hash. */
export function mappedItems(
  items: Item[],
  dueAt: number | null,
  metrics: MetricSet[] = [],
): MappedItems {
  const empty = items.length === 0 && metrics.length === 0;
  const content = metrics.length === 0 ? items : [items, metrics];
  return { items, metrics, hash: empty ? null : sha256(canonical(content)), dueAt };
}

/** One end of a foreign key. */
interface KeyEnd {
  /** CATRN of the table. */
  catrn: string;
  /** The table as people write it. */
  name: string;
  /** CATRNs of the columns. */
  fields: string[];
}

/** The entity of a foreign key: which columns of one table refer to which of another one. */
export function foreignKeyItem(key: string, from: KeyEnd, to: KeyEnd): Item {
  return {
    catrn: `${from.catrn}/foreign_keys/${escaped(key)}`,
    name: `${from.name} → ${to.name}`,
    type: "ENTITY_RELATIONSHIP",
    data_relationship: {
      relationship_type: "ERD",
      source_dataset_catrn: from.catrn,
      target_dataset_catrn: to.catrn,
      details: {
        relationship_entity_name: "ERDRelationship",
        source_dataset_field_catrns_list: from.fields,
        target_dataset_field_catrns_list: to.fields,
      },
    },
  };
}

/** A field of a message, a table or a file, of whatever language its schema is written in. */
export interface SchemaField {
  name: string;
  type: (typeof fieldTypes)[number];
  /** As the schema calls the type. */
  logical: string;
  nullable: boolean;
  /** Whether it is part of what identifies a row. */
  isPrimary?: boolean;
  description?: string;
  /** Default as text. */
  standard?: string;
  /** Values of an enumeration. */
  values?: string[];
  children: SchemaField[];
}

/** Most fields of one schema, and deepest nesting; schemas may be recursive. */
export const maxSchemaFields = 2_000;
export const maxSchemaDepth = 12;

/** Most values of an enumeration that are shown. */
const maxEnumValues = 500;

type Fields = NonNullable<Item["dataset"]>["field_list"];

interface FieldOptions {
  /** They are those of the keys of messages. */
  isKey?: boolean;
  /** `a.b` of a field in another one, as OpenLineage events name it, instead of `a/b`. */
  isDotted?: boolean;
}

/** The fields of a dataset, parents before their children. `prefix`: the CATRN below which they are. */
export function datasetFields(
  prefix: string,
  fields: SchemaField[],
  { isKey, isDotted }: FieldOptions = {},
): Fields {
  const found: Fields = [];
  const taken = new Set<string>();
  const add = (parent: string | undefined, below: string, fields: SchemaField[]) => {
    for (const field of fields) {
      const catrn = cutTo(`${below}${escaped(field.name)}`);
      if (taken.has(catrn) || found.length >= maxSchemaFields) continue;
      taken.add(catrn);
      found.push({ ...plainField(catrn, field, parent), ...(isKey ? { is_key: true } : {}) });
      add(catrn, isDotted ? `${catrn}.` : `${catrn}/`, field.children);
    }
  };
  add(undefined, `${prefix}/`, fields);
  return found;
}

function plainField(catrn: string, field: SchemaField, parent: string | undefined): Fields[number] {
  const { name, type, logical, nullable, description, standard, values, isPrimary } = field;
  return {
    catrn,
    name,
    ...(parent === undefined ? {} : { parent_field_catrn: parent }),
    ...(description ? { description } : {}),
    type: { type, logical_type: logical, is_nullable: nullable },
    ...(isPrimary ? { is_primary_key: true } : {}),
    ...(standard === undefined ? {} : { default_value: standard }),
    ...(values
      ? { enum_values: [...new Set(values)].slice(0, maxEnumValues).map((name) => ({ name })) }
      : {}),
  };
}
