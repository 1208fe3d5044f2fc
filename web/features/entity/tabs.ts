import type { EntityTab } from "#web/components/entity-link.tsx";
import { classesOf, type Details, isInFlow } from "#web/features/entity/details.ts";
import { t } from "#web/messages/text.ts";

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
    { tab: "overview", name: t("entity.overview") },
    group &&
    { tab: "linked", name: t("entity.members2"), count: of.items_count ?? undefined },
    dataset && { tab: "structure", name: t("entity.schema"), count: of.stats?.fields_count },
    of.lookup_table_id != null && { tab: "data", name: t("entity.data") },
    (group || isInFlow(of)) && { tab: "lineage", name: t("kit.lineage") },
    dataset && { tab: "tests", name: t("kit.tests") },
    (runs || of.latest_run != null) && { tab: "history", name: t("entity.history") },
    { tab: "alerts", name: t("entity.alerts"), count: alerts || undefined, bad: true },
    { tab: "activity", name: t("entity.activity") },
    { tab: "discussions", name: t("entity.discussions") },
    dataset && { tab: "queries", name: t("entity.queryExamples") },
    dataset && { tab: "relationships", name: t("entity.relationships") },
  ];
  return all.filter((one) => one !== false);
}
