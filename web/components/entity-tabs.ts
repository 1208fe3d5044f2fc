import type { Schema } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

export type ClassName = Schema<"DataEntityClass">["name"];

type Classified = Pick<Schema<"DataEntityDetails">, "entity_classes">;

type TabInputs = Pick<
  Schema<"DataEntityDetails">,
  "entity_classes" | "lookup_table_id" | "items_count" | "stats" | "latest_run"
>;

interface TabSpec {
  name: () => string;
  /** Whether it makes sense for an entity; for all of them unless given. */
  shows?: (of: TabInputs) => boolean;
  /** How much is there, where it is known. `alerts`: how many of them are open. */
  count?: (of: TabInputs, alerts?: number) => number | undefined;
  /** The count is of something to look at. */
  bad?: true;
}

const ofClass = (...names: ClassName[]) => (of: Classified) => {
  const classes = classesOf(of);
  return names.some((name) => classes.has(name));
};

/** Whether data flows through it, so that it has something before and after it. */
export const isInFlow = ofClass("DATA_SET", "DATA_TRANSFORMER", "DATA_CONSUMER", "DATA_INPUT");

/** The tabs of an entity's page in their order, by the last part of their address, which `web/app/routes.tsx` has as well. */
const tabs = {
  overview: { name: () => t("components.overview") },
  linked: {
    name: () => t("components.members"),
    shows: ofClass("DATA_ENTITY_GROUP"),
    count: (of) => of.items_count ?? undefined,
  },
  structure: {
    name: () => t("components.schema"),
    shows: ofClass("DATA_SET"),
    count: (of) => of.stats?.fields_count,
  },
  data: { name: () => t("components.data"), shows: (of) => of.lookup_table_id != null },
  lineage: {
    name: () => t("kit.lineage"),
    shows: (of) => ofClass("DATA_ENTITY_GROUP")(of) || isInFlow(of),
  },
  tests: { name: () => t("kit.tests"), shows: ofClass("DATA_SET") },
  history: {
    name: () => t("components.history"),
    shows: (of) => ofClass("DATA_TRANSFORMER", "DATA_QUALITY_TEST")(of) || of.latest_run != null,
  },
  alerts: {
    name: () => t("components.alerts"),
    count: (_, alerts) => alerts || undefined,
    bad: true,
  },
  activity: { name: () => t("components.activity") },
  discussions: { name: () => t("components.discussions") },
  queries: { name: () => t("components.queryExamples"), shows: ofClass("DATA_SET") },
  relationships: { name: () => t("components.relationships"), shows: ofClass("DATA_SET") },
} satisfies Record<string, TabSpec>;

export type EntityTab = keyof typeof tabs;

interface TabOf {
  tab: EntityTab;
  name: string;
  count?: number;
  bad?: true;
}

/** The tabs that make sense for an entity. `alerts`: how many of them are open. */
export function tabsOf(of: TabInputs, alerts?: number): TabOf[] {
  return (Object.entries(tabs) as [EntityTab, TabSpec][])
    .filter(([, { shows }]) => shows?.(of) ?? true)
    .map(([tab, { name, count, bad }]) => ({
      tab,
      name: name(),
      ...(count ? { count: count(of, alerts) } : {}),
      ...(bad ? { bad } : {}),
    }));
}

/** The names of the classes that an entity has. */
export function classesOf(of: Classified): Set<ClassName> {
  return new Set((of.entity_classes ?? []).map(({ name }) => name));
}
