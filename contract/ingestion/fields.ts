import { z } from "@hono/zod-openapi";
import { boundedArray, maxDetails } from "#contract/bounded.ts";
import { fieldTypes } from "#contract/entities.ts";
import { maxEnumValues, maxFields, maxMarks } from "./limits.ts";
import {
  Catrn,
  fitsBytes,
  FreeMap,
  IndexedText,
  Instant,
  Int64,
  maxIndexedBytes,
  Num,
} from "./values.ts";

const IngestedTag = z.object({ name: IndexedText }).openapi("Tag");

/** Of an entity's or field's extensions, only the first is read. */
const MetadataExtension = z.object({
  schema_url: z.string().openapi({ format: "uri" }),
  metadata: FreeMap.refine(
    (map) => Object.keys(map).every((key) => fitsBytes(key, maxIndexedBytes)),
    { error: `must have keys of at most ${maxIndexedBytes} bytes of UTF-8` },
  ),
}).openapi("MetadataExtension");

/** Members that entities and fields share. `version` and `owner` are accepted but not stored. */
export const baseObject = {
  catrn: Catrn,
  name: z.string(),
  version: z.string().optional(),
  description: z.string().optional(),
  owner: z.string().optional(),
  metadata: boundedArray(MetadataExtension, maxMarks).optional(),
  tags: boundedArray(IngestedTag, maxMarks).optional(),
};

const counts = { nulls_count: Int64, unique_count: Int64 };
const range = <V extends z.ZodType, M extends z.ZodType>(value: V, middle: M) =>
  z.object({
    low_value: value,
    high_value: value,
    mean_value: middle.optional(),
    median_value: middle.optional(),
    ...counts,
  });
const lengths = z.object({ max_length: Int64, avg_length: Num, ...counts });

/** Statistics of a field; tags given here are stored as the field's statistical tags. */
export const DataSetFieldStat = z.object({
  tags: boundedArray(IngestedTag, maxMarks).optional(),
  boolean_stats: z.object({ true_count: Int64, false_count: Int64, nulls_count: Int64 })
    .openapi("BooleanFieldStat").optional(),
  integer_stats: range(Int64, Num).openapi("IntegerFieldStat").optional(),
  number_stats: range(Num, Num).openapi("NumberFieldStat").optional(),
  string_stats: lengths.openapi("StringFieldStat").optional(),
  binary_stats: lengths.openapi("BinaryFieldStat").optional(),
  datetime_stats: range(Instant, Instant).openapi("DateTimeFieldStat").optional(),
  complex_stats: z.object(counts).openapi("ComplexFieldStat").optional(),
}).openapi("DataSetFieldStat");
export type DataSetFieldStat = z.output<typeof DataSetFieldStat>;

export const DataSetFieldType = z.object({
  type: z.enum(fieldTypes),
  logical_type: z.string().optional(),
  is_nullable: z.boolean(),
}).openapi("DataSetFieldType");

export const DataSetField = z.object({
  ...baseObject,
  parent_field_catrn: Catrn.optional(),
  type: DataSetFieldType,
  is_key: z.boolean().optional(),
  is_value: z.boolean().optional(),
  is_primary_key: z.boolean().optional(),
  is_sort_key: z.boolean().optional(),
  default_value: z.string().optional(),
  reference_catrn: Catrn.optional(),
  stats: DataSetFieldStat.optional(),
  enum_values: boundedArray(
    z.object({ name: IndexedText, description: z.string().optional() })
      .openapi("DataSetFieldEnumValue"),
    maxEnumValues,
  ).optional(),
}).openapi("DataSetField");
export type DataSetField = z.output<typeof DataSetField>;

interface FieldIssue {
  path: (string | number)[];
  message: string;
}

/** Fields up to which comparing each with each is quicker than a set, which hashes every text. */
const few = 16;

function repeats(fields: DataSetField[]): boolean {
  const catrns = fields.map(({ catrn }) => catrn);
  if (catrns.length > few) return new Set(catrns).size < catrns.length;
  return catrns.some((catrn, at) => catrns.indexOf(catrn) < at);
}

function* repeated(fields: DataSetField[]): Generator<FieldIssue> {
  const known = new Set<string>();
  for (let i = 0; i < fields.length; i++) {
    const { catrn } = fields[i]!;
    if (known.has(catrn)) {
      yield { path: [i, "catrn"], message: "is the catrn of an earlier field of the list" };
    }
    known.add(catrn);
  }
}

const references = ["parent_field_catrn", "reference_catrn"] as const;

/** Breaches of the rules between the fields of one payload. */
function* brokenRules(fields: DataSetField[]): Generator<FieldIssue> {
  if (repeats(fields)) yield* repeated(fields);
  // Made when it is requested: most lists have no references.
  let known: Set<string> | undefined;
  const isKnown = (catrn: string) =>
    (known ??= new Set(fields.map((field) => field.catrn))).has(catrn);
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    for (const key of references) {
      const named = field[key];
      if (named !== undefined && !isKnown(named)) {
        yield { path: [i, key], message: "must be the catrn of a field of the same list" };
      }
    }
    const isReference = field.type.type === "TYPE_REFERENCE";
    if (isReference && field.reference_catrn === undefined) {
      yield { path: [i, "reference_catrn"], message: "is required with TYPE_REFERENCE" };
    }
    if (!isReference && field.reference_catrn !== undefined) {
      yield { path: [i, "type", "type"], message: "must be TYPE_REFERENCE with reference_catrn" };
    }
  }
}

export const DataSet = z.object({
  parent_catrn: Catrn.optional(),
  rows_number: Int64.optional(),
  field_list: boundedArray(DataSetField, maxFields).superRefine((fields, context) => {
    for (const issue of brokenRules(fields).take(maxDetails)) {
      context.addIssue({ code: "custom", ...issue });
    }
  }),
}).openapi("DataSet");
export type DataSet = z.output<typeof DataSet>;
