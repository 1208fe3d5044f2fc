import type { EntityTab } from "#web/components/entity-link.tsx";
import { classesOf, type Details, isInFlow } from "#web/features/entity/details.ts";

export interface TabOf {
  tab: EntityTab;
  name: string;
  /** How much is there, where it is known. */
  count?: number;
  /** The count is of something to look at. */
  bad?: boolean;
}

type TabInputs = Pick<
  Details,
  "entity_classes" | "lookup_table_id" | "items_count" | "stats" | "latest_run"
>;

/** The tabs that make sense for an entity. `alerts`: how many of them are open. */
export function tabsOf(of: TabInputs, alerts?: number): TabOf[] {
  const classes = classesOf(of);
  const dataset = classes.has("DATA_SET");
  const runs = classes.has("DATA_TRANSFORMER") || classes.has("DATA_QUALITY_TEST");
  const group = classes.has("DATA_ENTITY_GROUP");
  const all: (TabOf | false)[] = [
    { tab: "overview", name: "Overview" },
    group &&
    { tab: "linked", name: "Members", count: of.items_count ?? undefined },
    dataset && { tab: "structure", name: "Schema", count: of.stats?.fields_count },
    of.lookup_table_id != null && { tab: "data", name: "Data" },
    (group || isInFlow(of)) && { tab: "lineage", name: "Lineage" },
    dataset && { tab: "tests", name: "Tests" },
    (runs || of.latest_run != null) && { tab: "history", name: "History" },
    { tab: "alerts", name: "Alerts", count: alerts || undefined, bad: true },
    { tab: "activity", name: "Activity" },
    { tab: "discussions", name: "Discussions" },
    dataset && { tab: "queries", name: "Query examples" },
    dataset && { tab: "relationships", name: "Relationships" },
  ];
  return all.filter((one) => one !== false);
}
