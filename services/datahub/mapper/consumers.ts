import type { Item } from "#platform/composed-source/item.ts";
import { textOf } from "#platform/datahub/values.ts";
import { entityCatrn } from "./catrns.ts";
import { catrnsOf, describedBy, idOf, metadataOf, ownersOf, tagsOf, urnsOf } from "./common.ts";
import type { EntityFacts } from "./facts.ts";

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
    ...tagsOf(aspects.get("globalTags"), undefined, names),
    ...ownersOf(facts),
    ...metadataOf(facts, info, {
      url: textOf(info?.dashboardUrl) ?? textOf(info?.chartUrl),
      chart_type: textOf(info?.type),
    }),
    data_consumer: { inputs: catrnsOf(inputs, names) },
  };
}
