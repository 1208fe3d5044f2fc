import type { fieldTypes } from "#contract/entities.ts";
import type { Item } from "#platform/composed-source/item.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";

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
const maxValues = 500;

type Fields = NonNullable<Item["dataset"]>["field_list"];

/** How fields are named and marked. */
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
      ? { enum_values: [...new Set(values)].slice(0, maxValues).map((name) => ({ name })) }
      : {}),
  };
}
