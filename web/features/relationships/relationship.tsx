import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import { Facts } from "#web/kit/page.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { Diagram } from "#web/features/relationships/diagram.tsx";
import { type End, type Erd, erdOf } from "#web/features/relationships/erd.ts";
import styles from "#web/features/relationships/relationships.module.css";
import { t } from "#web/messages/text.ts";

type Details = Schema<"DataEntityRelationshipDetails">;

/** Everything about a relationship: the picture, and all of it as text. */
export function Relationship({ of }: { of: Details }) {
  const erd = erdOf(of);
  const { erd_relationship: keys, graph_relationship: graph } = of;
  const attributes = graph?.attributes ?? [];
  return (
    <div className={styles.one}>
      <Diagram of={erd} directed={graph?.is_directed ?? undefined} />
      <Facts
        of={[
          [
            t("relationships.from"),
            <EntityLink key="from" of={of.source_data_entity} tab="structure" />,
          ],
          [t("kit.to"), <EntityLink key="to" of={of.target_data_entity} tab="structure" />],
          erd.pairs.length > 0 && [t("relationships.fields"), <Pairs key="fields" of={erd} />],
          Boolean(keys?.cardinality) && [t("relationships.cardinality"), words(keys!.cardinality!)],
          keys?.is_identifying != null &&
          [t("relationships.identifying"), yes(keys.is_identifying)],
          graph?.is_directed != null &&
          [t("relationships.directed"), yes(graph.is_directed)],
          ...attributes.map(({ name, value }, at) =>
            [
              name ?? t("relationships.attribute", { number: at + 1 }),
              <span key={at} className="foreign">{value}</span>,
            ] as const
          ),
          [
            t("relationships.source"),
            <span key="source" className="foreign">{of.data_source.name}</span>,
          ],
        ]}
      />
    </div>
  );
}

function yes(value: boolean): string {
  return value ? t("relationships.yes") : t("relationships.no");
}

function Pairs({ of: { source, target, pairs } }: { of: Erd }) {
  return (
    <ul>
      {pairs.map(([from, to]) => (
        <li key={`${from} ${to}`}>
          <FieldLink entity={source.entity.id} of={source.fields[from]!} />{" "}
          <ArrowRight aria-label={t("kit.to2")} />{" "}
          <FieldLink entity={target.entity.id} of={target.fields[to]!} />
        </li>
      ))}
    </ul>
  );
}

function FieldLink({ entity, of }: { entity: number; of: End }) {
  if (of.id == null) return <span className="mono foreign">{of.name}</span>;
  return (
    <Link
      to="/dataentities/$id/structure"
      params={{ id: String(entity) }}
      search={{ field: String(of.id) } as never}
      className="mono foreign"
    >
      {of.name}
    </Link>
  );
}
