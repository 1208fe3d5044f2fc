import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { EntityIcon } from "#web/components/entity-icon.tsx";
import styles from "#web/components/entity.module.css";
import { t } from "#web/messages/text.ts";

export interface EntityNames {
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

export type EntityTab =
  | "overview"
  | "structure"
  | "lineage"
  | "tests"
  | "history"
  | "alerts"
  | "activity"
  | "discussions"
  | "queries"
  | "linked"
  | "relationships"
  | "data";

/** An entity by icon and name, leading to its page. */
export function EntityLink({ of, tab = "overview" }: { of: EntityLike; tab?: EntityTab }) {
  const deleted = of.status?.status === "DELETED";
  return (
    <Link
      to={`/dataentities/$id/${tab}`}
      params={{ id: String(of.id) }}
      className={styles.link}
      title={of.catrn ?? undefined}
    >
      <EntityIcon of={of.entity_classes} />
      <span className={classes("truncate", deleted && styles.deleted)}>{nameOf(of)}</span>
      {deleted && <span className="visually-hidden">{t("components.deleted")}</span>}
      {of.has_alerts && (
        <span className={styles.alert} title={t("components.itHasOpenAlerts")}>
          <TriangleAlert aria-label={t("components.hasOpenAlerts")} />
        </span>
      )}
    </Link>
  );
}
