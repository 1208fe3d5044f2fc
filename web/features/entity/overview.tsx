import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Card, Columns, Facts } from "#web/kit/page.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { count, shortCount } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import { useCan } from "#web/components/permissions.ts";
import { MetricTable } from "#web/components/metric-table.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { type EntityTab, isInFlow } from "#web/components/entity-tabs.ts";
import { DescriptionCard } from "#web/features/entity/description-card.tsx";
import { ClassFacts } from "#web/features/entity/class-facts.tsx";
import { FilesCard } from "#web/features/entity/files-card.tsx";
import { GroupsCard } from "#web/features/entity/groups-card.tsx";
import { LinksCard } from "#web/features/entity/links-card.tsx";
import { MetadataCard } from "#web/features/entity/metadata-card.tsx";
import { OwnersCard } from "#web/features/entity/owners-card.tsx";
import { TagsCard } from "#web/features/entity/tags-card.tsx";
import { TermsCard } from "#web/features/entity/terms-card.tsx";
import {
  type Details,
  useDetails,
  useEntityId,
  useVisit,
} from "#web/features/entity/use-entity.ts";
import { read } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import styles from "#web/features/entity/entity.module.css";

export function OverviewTab() {
  const id = useEntityId();
  const of = useDetails(id).data;
  const can = useCan("DATA_ENTITY", id);
  // The frame shows what stands for an entity that could not be read.
  if (!of) return null;
  const card = { of, can };
  return (
    <div className={styles.stack} key={of.id}>
      <Tiles of={of} />
      <Columns
        main={
          <>
            <DescriptionCard {...card} />
            <ClassFacts of={of} />
            <MetadataCard {...card} />
            <FilesCard id={of.id} may={can("DATA_ENTITY_ATTACHMENT_MANAGE")} />
            <LinksCard id={of.id} may={can("DATA_ENTITY_ATTACHMENT_MANAGE")} />
            <MetricsCard id={of.id} />
          </>
        }
        side={
          <>
            <OwnersCard {...card} />
            <TermsCard {...card} />
            <TagsCard {...card} />
            <GroupsCard {...card} />
            <TimesCard of={of} />
          </>
        }
      />
    </div>
  );
}

/** What its source measures of it; nothing where it measures nothing. */
function MetricsCard({ id }: { id: number }) {
  const { data } = useQuery(
    read("/api/dataentities/{data_entity_id}/metrics", { path: { data_entity_id: id } }),
  );
  if (!data?.metric_families.some(({ metrics }) => metrics.length > 0)) return null;
  return (
    <Card title={t("kit.metrics")} flush>
      <MetricTable of={data} />
    </Card>
  );
}

function TimesCard({ of }: { of: Details }) {
  const source = of.data_source;
  return (
    <Card title={t("entity.about")}>
      <Facts
        of={[
          source && [t("entity.source"), <span key="s" className="foreign">{source.name}</span>],
          source?.namespace &&
          [t("kit.namespace"), <span key="n" className="foreign">{source.namespace.name}</span>],
          !!of.external_name && of.external_name !== nameOf(of) &&
          [t("entity.technicalName2"), <TechnicalName key="t" name={of.external_name} />],
          !!of.source_created_at &&
          [t("entity.created"), <Time key="c" at={of.source_created_at} />],
          !!of.source_updated_at &&
          [t("entity.changed"), <Time key="u" at={of.source_updated_at} />],
          !!of.last_ingested_at &&
          [t("entity.ingested"), <Time key="i" at={of.last_ingested_at} />],
          [t("entity.views"), <Views key="w" of={of} />],
          (of.version_list_total ?? 0) > 0 && [t("entity.versions"), of.version_list_total],
          [t("entity.id"), String(of.id)],
        ]}
      />
    </Card>
  );
}

/** What its source calls it, where people here call it something else. */
function TechnicalName({ name }: { name: string }) {
  return (
    <span className={styles.line}>
      <span className="foreign">{name}</span>
      <CopyButton text={name} what={t("entity.technicalName")} />
    </span>
  );
}

function Views({ of }: { of: Details }) {
  const visited = useVisit(of.id);
  const views = count(of.view_count);
  return (
    <span>
      {visited
        ? <Rich of="entity.yourLast" values={{ views, time: <Time at={visited} /> }} />
        : views}
    </span>
  );
}

function Tiles({ of }: { of: Details }) {
  const flows = isInFlow(of);
  if (!of.stats && of.items_count == null && !flows) return null;
  return (
    <div className={styles.tiles}>
      {of.stats && <Tile name={t("entity.rows")} value={of.stats.rows_count} />}
      {of.stats && (
        <Tile name={t("kit.columns")} value={of.stats.fields_count} to="structure" id={of.id} />
      )}
      {of.stats && <Tile name={t("entity.consumers")} value={of.stats.consumers_count} />}
      {of.items_count != null && (
        <Tile name={t("components.members")} value={of.items_count} to="linked" id={of.id} />
      )}
      {flows && <Neighbours id={of.id} side="upstream" />}
      {flows && <Neighbours id={of.id} side="downstream" />}
    </div>
  );
}

function Tile(
  { name, value, to, id, search }: {
    name: string;
    value: number | undefined;
    to?: EntityTab;
    id?: number;
    search?: Record<string, string>;
  },
) {
  const inner = (
    <>
      <strong title={value === undefined ? undefined : count(value)}>
        {value === undefined ? "–" : shortCount(value)}
      </strong>
      <span>{name}</span>
    </>
  );
  if (!to) return <div className={styles.tile}>{inner}</div>;
  return (
    <Link
      to={`/dataentities/$id/${to}`}
      params={{ id: String(id) }}
      search={search as never}
      className={styles.tile}
    >
      {inner}
    </Link>
  );
}

function Neighbours({ id, side }: { id: number; side: "upstream" | "downstream" }) {
  const { data } = useQuery(
    read(`/api/dataentities/{data_entity_id}/lineage/${side}/neighbours`, {
      path: { data_entity_id: id },
      query: { page: 1, size: 1 },
    }),
  );
  const isUp = side === "upstream";
  return (
    <Tile
      name={isUp ? t("entity.upstream") : t("entity.downstream")}
      value={data?.page_info.total}
      to="lineage"
      id={id}
      search={isUp ? { down: "0" } : { up: "0" }}
    />
  );
}
