import { maxFields } from "#contract/ingestion/limits.ts";
import { own } from "#kit/own.ts";
import type { Item } from "#platform/items.ts";
import {
  integerOf,
  objectOf,
  objectsOf,
  type RawObject,
  textOf,
  textsOf,
} from "#platform/datahub/values.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import { describedBy, tagsOf } from "./common.ts";
import type { EntityFacts } from "./facts.ts";

type Field = NonNullable<Item["dataset"]>["field_list"][number];
type FieldType = Field["type"]["type"];

/** A field path without what its second version adds in brackets: versions, types, and whether it is of a key. */
export function plainPath(path: string): string {
  if (!path.startsWith("[version=")) return path;
  return path.split(".").filter((part) => !/^\[.*\]$/.test(part)).join(".");
}

/** CATRN of a field. */
export function fieldCatrn(dataset: string, path: string): string {
  return cutTo(`${dataset}/columns/${escaped(path)}`);
}

/** The fields of a dataset, each after the one that it is nested in. */
export function fieldsOf(dataset: string, facts: EntityFacts): Field[] {
  const schema = facts.aspects.get("schemaMetadata");
  const edited = new Map(
    objectsOf(facts.aspects.get("editableSchemaMetadata")?.editableSchemaFieldInfo)
      .map((one) => [plainPath(textOf(one.fieldPath) ?? ""), one]),
  );
  const profiles = profilesOf(facts);
  const keys = new Set(textsOf(schema?.primaryKeys).map(plainPath));
  const fields = new Map<string, Field>();
  for (const given of objectsOf(schema?.fields)) {
    const path = plainPath(textOf(given.fieldPath) ?? "");
    if (path === "" || fields.has(path) || fields.size >= maxFields) continue;
    const above = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const isNested = fields.has(above);
    const type = typeOf(given);
    const isKey = given.isPartOfKey === true || keys.has(path);
    fields.set(path, {
      catrn: fieldCatrn(dataset, path),
      name: isNested ? path.slice(above.length + 1) : path,
      ...(isNested ? { parent_field_catrn: fieldCatrn(dataset, above) } : {}),
      ...describedBy(edited.get(path), given),
      ...fieldTags(edited.get(path), given, facts),
      type: {
        type,
        logical_type: textOf(given.nativeDataType) ?? "",
        is_nullable: given.nullable !== false,
      },
      ...(isKey ? { is_primary_key: true, is_key: true } : {}),
      ...statisticsOf(profiles.get(path), type),
    });
  }
  return [...fields.values()];
}

/** Tags and terms of the source and those that people added. */
function fieldTags(edited: RawObject | undefined, given: RawObject, { names }: EntityFacts) {
  const both = (member: string, list: string) => {
    const sets = [given, edited].flatMap((one) => objectOf(own(one ?? {}, member)) ?? []);
    return sets.length === 0
      ? undefined
      : { [list]: sets.flatMap((one) => objectsOf(own(one as RawObject, list))) };
  };
  return tagsOf(both("globalTags", "tags"), both("glossaryTerms", "terms"), names);
}

const byClass = new Map<string, FieldType>([
  ["BooleanType", "TYPE_BOOLEAN"],
  ["FixedType", "TYPE_BINARY"],
  ["BytesType", "TYPE_BINARY"],
  ["StringType", "TYPE_STRING"],
  ["EnumType", "TYPE_STRING"],
  ["DateType", "TYPE_DATETIME"],
  ["ArrayType", "TYPE_LIST"],
  ["MapType", "TYPE_MAP"],
  ["RecordType", "TYPE_STRUCT"],
  ["UnionType", "TYPE_UNION"],
]);

function typeOf({ type, nativeDataType }: RawObject): FieldType {
  const [name = ""] = Object.keys(objectOf(objectOf(type)?.type) ?? {});
  const short = name.slice(name.lastIndexOf(".") + 1);
  const native = (textOf(nativeDataType) ?? "").slice(0, 200).toLowerCase();
  if (short === "NumberType") {
    return /int|serial|long/.test(native) ? "TYPE_INTEGER" : "TYPE_NUMBER";
  }
  if (short === "TimeType") return /timestamp|date/.test(native) ? "TYPE_DATETIME" : "TYPE_TIME";
  return byClass.get(short) ?? "TYPE_UNKNOWN";
}

/** The newest profile of the whole dataset. */
export function newestProfile({ entries }: EntityFacts): RawObject | undefined {
  const whole = (entries.get("datasetProfile") ?? []).find(({ value }) => {
    const partition = objectOf(value.partitionSpec);
    return !partition || partition.type === "FULL_TABLE";
  });
  return whole?.value;
}

function profilesOf(facts: EntityFacts): Map<string, RawObject> {
  return new Map(
    objectsOf(newestProfile(facts)?.fieldProfiles)
      .map((one) => [plainPath(textOf(one.fieldPath) ?? ""), one]),
  );
}

/** Statistics of a field, where its profile has its numbers of nulls and of distinct values, and its bounds. */
function statisticsOf(profile: RawObject | undefined, type: FieldType): Pick<Field, "stats"> {
  const nulls = integerOf(profile?.nullCount);
  const unique = integerOf(profile?.uniqueCount);
  if (!profile || nulls === undefined || unique === undefined) return {};
  const [low, high] = [numberOf(profile.min), numberOf(profile.max)];
  if (low === undefined || high === undefined) return {};
  const mean = numberOf(profile.mean);
  const median = numberOf(profile.median);
  const stats = {
    low_value: low,
    high_value: high,
    ...(mean === undefined ? {} : { mean_value: mean }),
    ...(median === undefined ? {} : { median_value: median }),
    nulls_count: nulls,
    unique_count: unique,
  };
  if (type === "TYPE_INTEGER" && Number.isSafeInteger(low) && Number.isSafeInteger(high)) {
    return { stats: { integer_stats: stats } };
  }
  return type === "TYPE_NUMBER" ? { stats: { number_stats: stats } } : {};
}

/** A number that is written as a text. */
function numberOf(value: unknown): number | undefined {
  const text = textOf(value);
  const number = text === undefined || text.length > 100 ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
