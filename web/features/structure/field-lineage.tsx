import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { count, noun } from "#web/kit/numbers.ts";
import { Bones, Pending } from "#web/kit/states.tsx";
import { EntityById } from "#web/components/entity-details.tsx";
import { ColumnLink } from "#web/components/entity-link.tsx";
import { useImpactCounts } from "#web/components/impact.tsx";
import { gapsOf, placeOf, reasonOf, type SqlGap } from "#web/components/sql-gaps.ts";
import {
  mayHaveLineage,
  type Neighbour,
  neighboursOf,
  pathOf,
} from "#web/features/structure/column-lineage.ts";
import { Section } from "#web/features/structure/field-sections.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/**
 * Of one column, since there may be thousands; of all where only what has a say in the dataset as a whole can have one
 * in it.
 */
function useColumnLineage(dataset: number, path: string) {
  const column = mayHaveLineage(path) ? [path] : [];
  const params = { path: { data_entity_id: dataset }, query: { column, include_indirect: true } };
  const upstream = useQuery(
    read("/api/datasets/{data_entity_id}/columns/lineage/upstream", params),
  );
  const downstream = useQuery(
    read("/api/datasets/{data_entity_id}/columns/lineage/downstream", params),
  );
  return { upstream, downstream };
}

/** From which columns a field is made, and which are made from it, each leading to its own page. */
export function FieldLineage(
  { dataset, field, fields }: { dataset: number; field: Field; fields: Field[] },
) {
  const path = pathOf(field, fields);
  const sides = useColumnLineage(dataset, path);
  const reached = useImpactCounts(dataset, path)?.consumers ?? [];
  const { upstream: { data: up }, downstream: { data: down } } = sides;
  const failed = sides.upstream.isError ? sides.upstream : sides.downstream;
  if (failed.error) {
    return (
      <Section title={t("structure.columnLineage")}>
        <Pending of={failed} what={t("structure.columnLineage2")} />
      </Section>
    );
  }
  if (!up || !down) return <Bones lines={2} />;
  const [from, into] = [
    neighboursOf(up, field.id, "upstream"),
    neighboursOf(down, field.id, "downstream"),
  ];
  const gaps = gapsOf(up.not_traced ?? [], path);
  if (from.length + into.length + gaps.length + reached.length === 0) return null;
  return (
    <Section title={t("structure.columnLineage")}>
      <Side title={t("structure.upstreamColumns")} of={from} />
      <Side title={t("structure.downstreamColumns")} of={into} />
      <Consumers of={reached} />
      <NotTraced gaps={gaps} />
    </Section>
  );
}

/** Dashboards and others that read what is made from the column, however many steps away. */
function Consumers({ of }: { of: Schema<"EntityReached">[] }) {
  if (of.length === 0) return null;
  return (
    <div>
      <h4 className="soft">{t("structure.reaches")}</h4>
      <ul className={styles.lineage} aria-label={t("structure.dashboardsAndOtherConsumersThat")}>
        {of.slice(0, shownInitially).map(({ id, name, type }) => (
          <li key={id}>
            <Link to="/dataentities/$id/overview" params={{ id: String(id) }} className="foreign">
              {name}
            </Link>
            {type && <span className="soft">{noun(type.name)}</span>}
          </li>
        ))}
        {of.length > shownInitially && (
          <li className="soft">
            {t("structure.andMore", { count: count(of.length - shownInitially) })}
          </li>
        )}
      </ul>
    </div>
  );
}

/** What the SQL of jobs does to the column and could not be traced. */
function NotTraced({ gaps }: { gaps: SqlGap[] }) {
  if (gaps.length === 0) return null;
  return (
    <div>
      <h4 className="soft">{t("structure.notTracedFromSql")}</h4>
      <ul
        className={`${styles.lineage} ${styles.gaps}`}
        aria-label={t("structure.notTracedFromSql")}
      >
        {gaps.slice(0, shownInitially).map((gap, at) => (
          <li key={at}>
            <EntityById id={gap.establisher_id} />
            <span>{reasonOf(gap)}</span>
            <span className="soft">{placeOf(gap)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Columns that are shown before `All`. */
const shownInitially = 10;

function Side({ title, of }: { title: string; of: Neighbour[] }) {
  const [all, setAll] = useState(false);
  if (of.length === 0) return null;
  const shown = all ? of : of.slice(0, shownInitially);
  return (
    <div>
      <h4 className="soft">{title}</h4>
      <ul className={styles.lineage} aria-label={title}>
        {shown.map((one) => (
          <li key={one.key}>
            <ColumnLink dataset={one.dataset} name={one.name} field={one.field} />
            {one.indirect && (
              <Badge>{one.ofAll ? t("structure.decidesTheRows") : t("structure.hasASay")}</Badge>
            )}
            {one.description !== "" && (
              <span className="truncate soft foreign" title={one.description}>
                {one.description}
              </span>
            )}
          </li>
        ))}
      </ul>
      {shown.length < of.length && (
        <Button small onClick={() => setAll(true)}>
          {t("structure.all", { length: count(of.length) })}
        </Button>
      )}
    </div>
  );
}
