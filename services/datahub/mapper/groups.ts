import { textOf, textsOf } from "#platform/datahub/values.ts";
import type { Item } from "#platform/items.ts";
import { catrnsOf, describedBy, idOf, marksOf, metadataOf, urnsOf } from "./common.ts";
import { entityCatrn, type EntityFacts } from "./facts.ts";
import { fieldCatrn } from "./fields.ts";

/** A container, such as a database or a schema, as the group of what it holds. */
export function mapContainer(facts: EntityFacts): Item[] {
  const properties = facts.aspects.get("containerProperties");
  // Without its properties it is only named.
  if (!properties) return [];
  return [group(facts, "DATABASE_SERVICE", "containerProperties", "editableContainerProperties")];
}

/** A flow, as the group of its jobs. */
export function mapFlow(facts: EntityFacts): Item[] {
  return [group(facts, "DAG", "dataFlowInfo", "editableDataFlowProperties")];
}

/** A group of models, by its members. */
export function mapModelGroup(facts: EntityFacts): Item[] {
  return [
    group(facts, "ML_EXPERIMENT", "mlModelGroupProperties", "editableMlModelGroupProperties"),
  ];
}

/** A model, with the jobs that trained it. */
export function mapModel(facts: EntityFacts): Item[] {
  const properties = facts.aspects.get("mlModelProperties");
  const jobs = urnsOf(properties?.trainingJobs, "dataJob");
  const model = group(facts, "ML_MODEL", "mlModelProperties", "editableMlModelProperties");
  return [{ ...model, data_consumer: { inputs: catrnsOf(jobs, facts.names) } }];
}

function group(facts: EntityFacts, type: Item["type"], given: string, edited: string): Item {
  const { aspects, urn } = facts;
  const properties = aspects.get(given);
  return {
    catrn: entityCatrn(urn, aspects)!,
    name: textOf(properties?.name) ?? facts.parsed.parts[1] ?? idOf(urn),
    type,
    ...describedBy(aspects.get(edited), properties),
    ...marksOf(facts),
    ...metadataOf(facts, properties),
    data_entity_group: { entities_list: facts.members },
  };
}

/** A table of features: its features are its fields, and what they are made from its inputs. */
export function mapFeatureTable(facts: EntityFacts): Item[] {
  const { aspects, names, urn } = facts;
  const properties = aspects.get("mlFeatureTableProperties");
  const catrn = entityCatrn(urn, aspects)!;
  const keys = textsOf(properties?.mlPrimaryKeys);
  const features = [...new Set([...keys, ...textsOf(properties?.mlFeatures)])];
  const aspectsOf = (one: string) =>
    names.aspectsOf(one).get("mlFeatureProperties") ??
      names.aspectsOf(one).get("mlPrimaryKeyProperties");
  const fields = new Map(features.map((one) => [idOf(one), one]));
  const sources = features.flatMap((one) => urnsOf(aspectsOf(one)?.sources, "dataset"));
  return [{
    catrn,
    name: facts.parsed.parts[1] ?? idOf(urn),
    type: "FEATURE_GROUP",
    ...describedBy(aspects.get("editableMlFeatureTableProperties"), properties),
    ...marksOf(facts),
    ...metadataOf(facts, properties),
    dataset: {
      field_list: [...fields].map(([name, one]) => ({
        catrn: fieldCatrn(catrn, name),
        name,
        ...describedBy(undefined, aspectsOf(one)),
        type: {
          type: "TYPE_UNKNOWN" as const,
          logical_type: textOf(aspectsOf(one)?.dataType) ?? "",
          is_nullable: true,
        },
        ...(keys.includes(one) ? { is_primary_key: true, is_key: true } : {}),
      })),
    },
    data_transformer: { inputs: catrnsOf(sources, names), outputs: [] },
  }];
}

/** A dashboard: it consumes its charts, and datasets that it names by itself. */
export function mapDashboard(facts: EntityFacts): Item[] {
  const info = facts.aspects.get("dashboardInfo");
  const inputs = [
    ...urnsOf(info?.charts, "chart"),
    ...urnsOf(info?.chartEdges, "chart"),
    ...urnsOf(info?.datasets, "dataset"),
    ...urnsOf(info?.datasetEdges, "dataset"),
    ...urnsOf(info?.dashboards, "dashboard"),
  ];
  return [consumer(facts, "editableDashboardProperties", "dashboardInfo", inputs)];
}

/** A chart: it consumes datasets, and other charts. */
export function mapChart(facts: EntityFacts): Item[] {
  const info = facts.aspects.get("chartInfo");
  const inputs = [
    ...urnsOf(info?.inputs, "dataset", "chart"),
    ...urnsOf(info?.inputEdges, "dataset", "chart"),
  ];
  return [consumer(facts, "editableChartProperties", "chartInfo", inputs)];
}

function consumer(facts: EntityFacts, edited: string, given: string, inputs: string[]): Item {
  const { aspects, names, urn } = facts;
  const info = aspects.get(given);
  return {
    catrn: entityCatrn(urn, aspects)!,
    name: textOf(info?.title) ?? idOf(urn),
    type: "DASHBOARD",
    ...describedBy(aspects.get(edited), info),
    ...marksOf(facts),
    ...metadataOf(facts, info, {
      url: textOf(info?.dashboardUrl) ?? textOf(info?.chartUrl),
      chart_type: textOf(info?.type),
    }),
    data_consumer: { inputs: catrnsOf(inputs, names) },
  };
}
