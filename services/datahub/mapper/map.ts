import { type Item, type MappedItems, mappedItems } from "#platform/items.ts";
import { mapDataset } from "./dataset.ts";
import { type EntityFacts, isRemoved } from "./facts.ts";
import {
  mapChart,
  mapContainer,
  mapDashboard,
  mapFeatureTable,
  mapFlow,
  mapModel,
  mapModelGroup,
} from "./groups.ts";
import { mapExecution, mapJob, mapRecipe, mapRun } from "./jobs.ts";
import { mapAssertion } from "./quality.ts";

/** What is posted of entities, by their type; of others nothing: they show on those that name them. */
const mappers = new Map<string, (facts: EntityFacts) => Item[]>([
  ["dataset", mapDataset],
  ["container", mapContainer],
  ["dataFlow", mapFlow],
  ["dataJob", mapJob],
  ["dataProcessInstance", mapRun],
  ["dashboard", mapDashboard],
  ["chart", mapChart],
  ["mlModel", mapModel],
  ["mlModelGroup", mapModelGroup],
  ["mlFeatureTable", mapFeatureTable],
  ["assertion", mapAssertion],
  ["dataHubIngestionSource", mapRecipe],
  ["dataHubExecutionRequest", mapExecution],
]);

/** The items of an entity; none of one that shows as another, and while nothing but its status or its removal is known. */
export function mapEntity(facts: EntityFacts): MappedItems {
  const { aspects, entries, parsed, isPartOfTable } = facts;
  const mapper = mappers.get(parsed.type);
  const isKnown = [...aspects.keys()].some((name) => name !== "status") || entries.size > 0;
  if (!mapper || !isKnown || isPartOfTable || isRemoved(aspects)) return mappedItems([], null);
  return mappedItems(mapper(facts), null);
}
