import { Link } from "@tanstack/react-router";
import {
  BarChart3,
  Boxes,
  CircleHelp,
  FlaskConical,
  LogIn,
  type LucideIcon,
  Share2,
  ShieldCheck,
  Table2,
  TriangleAlert,
  Workflow,
} from "lucide-react";
import type { ComponentProps } from "react";
import type { Schema } from "#web/api/client.ts";
import type { EntityTab } from "#web/components/entity-tabs.ts";
import { classes } from "#web/kit/classes.ts";
import { words } from "#web/kit/numbers.ts";
import styles from "#web/components/entity.module.css";
import { t } from "#web/messages/text.ts";

interface EntityNames {
  internal_name?: string | null;
  external_name?: string | null;
  catrn?: string | null;
  id?: number;
}

/** Spaces, and signs that take no room, such as a zero-width joiner. */
const unseen = /[\s\p{Cf}\p{Cc}\p{Zs}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether people would see anything of it. */
function isVisible(name: string): boolean {
  return name.slice(0, 1_000).replace(unseen, "") !== "";
}

/** The name to show: what people call it, else what its source calls it, else its CATRN; the first that can be seen. */
export function nameOf({ internal_name, external_name, catrn, id }: EntityNames): string {
  return [internal_name, external_name, catrn].find((name) => name && isVisible(name)) ||
    `#${id ?? "?"}`;
}

export type EntityLike =
  & Pick<
    Schema<"DataEntityRef">,
    "id" | "entity_classes" | "internal_name" | "external_name" | "catrn" | "has_alerts"
  >
  & { status?: Schema<"DataEntityStatus"> };

/** Leads to a tab of the page of an entity. */
export function TabLink(
  { id, tab = "overview", search, ...rest }: Omit<ComponentProps<"a">, "id"> & {
    id: number;
    tab?: EntityTab;
    search?: Record<string, string>;
  },
) {
  const params = { id: String(id) };
  return (
    <Link
      to={`/dataentities/$id/${tab}`}
      params={params}
      search={search as never}
      {...rest}
    />
  );
}

/** An entity by icon and name, leading to its page. */
export function EntityLink({ of, tab }: { of: EntityLike; tab?: EntityTab }) {
  const deleted = of.status?.status === "DELETED";
  return (
    <TabLink id={of.id} tab={tab} className={styles.link} title={of.catrn ?? undefined}>
      <EntityIcon of={of.entity_classes} />
      <span className={classes("truncate", deleted && styles.deleted)}>{nameOf(of)}</span>
      {deleted && <span className="visually-hidden">{t("components.deleted")}</span>}
      {of.has_alerts && (
        <span className={styles.alert} title={t("components.itHasOpenAlerts")}>
          <TriangleAlert aria-label={t("components.hasOpenAlerts")} />
        </span>
      )}
    </TabLink>
  );
}

/** How a class of entities looks; the first class of an entity that is listed decides. */
const iconStyles: [name: string, icon: LucideIcon, colour: string][] = [
  ["DATA_RELATIONSHIP", Share2, "relationship"],
  ["DATA_ENTITY_GROUP", Boxes, "group"],
  ["DATA_QUALITY_TEST_RUN", FlaskConical, "quality"],
  ["DATA_QUALITY_TEST", ShieldCheck, "quality"],
  ["DATA_SET", Table2, "dataset"],
  ["DATA_TRANSFORMER_RUN", Workflow, "transformer"],
  ["DATA_TRANSFORMER", Workflow, "transformer"],
  ["DATA_CONSUMER", BarChart3, "consumer"],
  ["DATA_INPUT", LogIn, "input"],
];

export function EntityIcon({ of }: { of: { name: string }[] | null | undefined }) {
  const names = new Set((of ?? []).map(({ name }) => name));
  const [name, Icon = CircleHelp, colour = "group"] =
    iconStyles.find(([known]) => names.has(known)) ?? [];
  return (
    <span
      className={classes(styles.icon, styles[colour])}
      title={name ? words(name) : t("components.noDataYet")}
    >
      <Icon aria-hidden />
    </span>
  );
}

/** A column by the names of its dataset and its own, leading to the field; without a name the dataset as a whole. */
export function ColumnLink(
  { dataset, name, field }: {
    dataset: Schema<"ColumnLineageDataset">;
    name: string | null;
    /** Of the newest structure; null where no structure knows the column. */
    field: number | null;
  },
) {
  return (
    <TabLink
      id={dataset.id}
      tab="structure"
      search={field === null ? {} : { field: String(field) }}
      className="truncate mono"
      title={name === null ? dataset.catrn : `${dataset.catrn} ${name}`}
    >
      {name === null ? nameOf(dataset) : `${nameOf(dataset)}.${name}`}
    </TabLink>
  );
}
