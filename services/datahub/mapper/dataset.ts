import { foreignKeyItem, type Item } from "#platform/items.ts";
import { integerOf, objectOf, objectsOf, textOf, textsOf } from "#platform/datahub/values.ts";
import { ownCatrn } from "#platform/naming/datahub/names.ts";
import { datasetOf, fieldOf } from "#platform/naming/datahub/urn.ts";
import { describedBy, instantOf, marksOf, metadataOf } from "./common.ts";
import type { EntityFacts } from "./facts.ts";
import { fieldCatrn, fieldsOf, newestProfile, plainPath } from "./fields.ts";
import { datasetLineage } from "./lineage.ts";

/**
 * A dataset with what it is made from. Of one that a collector holds only its lineage is posted, as a job of its own,
 * unless that collector reports lineage too.
 */
export function mapDataset(facts: EntityFacts): Item[] {
  const lineage = datasetLineage(facts);
  const { catrn, catalogued } = facts.dataset!;
  if (catalogued) {
    const isNeeded = lineage && lineage.inputs.length > 0 && !facts.hasOwnLineage;
    return isNeeded ? [lineageJob(facts, lineage)] : [];
  }
  const { aspects } = facts;
  const properties = aspects.get("datasetProperties");
  const rows = integerOf(newestProfile(facts)?.rowCount);
  const item: Item = {
    catrn,
    name: nameOf(facts),
    type: typeOf(facts),
    ...describedBy(aspects.get("editableDatasetProperties"), properties),
    ...marksOf(facts),
    ...metadataOf(facts, properties, {
      qualified_name: textOf(properties?.qualifiedName),
      environment: datasetOf(facts.urn)!.env,
      ...activityOf(facts),
    }),
    ...updatedAt(facts),
    dataset: {
      ...(rows === undefined || rows < 0 ? {} : { rows_number: rows }),
      field_list: fieldsOf(catrn, facts),
    },
    ...(lineage ? { data_transformer: lineage } : {}),
  };
  return [item, ...foreignKeys(catrn, facts)];
}

function nameOf({ urn, aspects }: EntityFacts): string {
  const given = textOf(aspects.get("datasetProperties")?.name);
  if (given !== undefined) return given;
  const { name } = datasetOf(urn)!;
  return name.split(/[./]/).filter((part) => part !== "").at(-1) ?? name;
}

function typeOf({ dataset, aspects }: EntityFacts): Item["type"] {
  if (dataset!.kind !== "TABLE") return dataset!.kind;
  const types = textsOf(aspects.get("subTypes")?.typeNames);
  if (types.some((type) => /topic/i.test(type))) return "KAFKA_TOPIC";
  return aspects.has("viewProperties") || types.some((type) => /view/i.test(type))
    ? "VIEW"
    : "TABLE";
}

/** What was last done to it, and how often it was read in the newest period that is known. */
function activityOf({ entries }: EntityFacts): Record<string, unknown> {
  const operation = entries.get("operation")?.[0]?.value;
  const usage = entries.get("datasetUsageStatistics")?.[0]?.value;
  return {
    last_operation: textOf(operation?.customOperationType) ?? textOf(operation?.operationType),
    queries: integerOf(usage?.totalSqlQueries),
    users: integerOf(usage?.uniqueUserCount),
    usage_since: instantOf(integerOf(usage?.timestampMillis)),
  };
}

function updatedAt({ entries, aspects }: EntityFacts): Pick<Item, "updated_at"> {
  const operation = entries.get("operation")?.[0]?.value;
  const modified = objectOf(aspects.get("datasetProperties")?.lastModified);
  const at = instantOf(integerOf(operation?.lastUpdatedTimestamp) ?? integerOf(modified?.time));
  return at === undefined ? {} : { updated_at: at };
}

function lineageJob(
  { urn, dataset }: EntityFacts,
  lineage: NonNullable<Item["data_transformer"]>,
): Item {
  const { platform, name, env } = datasetOf(urn)!;
  return {
    catrn: ownCatrn(platform, "lineage", env, name),
    name: `Lineage of ${name}`,
    type: "JOB",
    data_transformer: { ...lineage, outputs: [dataset!.catrn] },
  };
}

/** Foreign keys of a schema whose columns correspond. */
function foreignKeys(catrn: string, { urn, aspects, names }: EntityFacts): Item[] {
  const keys = objectsOf(aspects.get("schemaMetadata")?.foreignKeys);
  return keys.flatMap((key): Item[] => {
    const other = textOf(key.foreignDataset);
    const target = other === undefined ? undefined : names.catrnOf(other);
    const from = pathsOf(key.sourceFields);
    const to = pathsOf(key.foreignFields);
    if (target === undefined || from.length === 0 || from.length !== to.length) return [];
    const name = textOf(key.name) ?? from.join("_");
    return [foreignKeyItem(name, {
      catrn,
      name: datasetOf(urn)!.name,
      fields: from.map((path) => fieldCatrn(catrn, path)),
    }, {
      catrn: target,
      name: datasetOf(other!)?.name ?? other!,
      fields: to.map((path) => fieldCatrn(target, path)),
    })];
  });
}

function pathsOf(urns: unknown): string[] {
  return textsOf(urns).flatMap((urn) => {
    const field = fieldOf(urn);
    return field ? [plainPath(field.path)] : [];
  });
}
