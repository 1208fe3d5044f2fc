import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schema } from "#web/api/client.ts";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { Badge, ChipRow, type Tone } from "#web/kit/badge.tsx";
import { ExternalLink } from "#web/kit/external-link.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { RunStatusBadge, StatusBadge } from "#web/components/status.tsx";
import { ColumnLineageCard } from "#web/features/entity/column-lineage-card.tsx";
import { classesOf } from "#web/components/entity-tabs.ts";
import type { Details } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

const severityTone: Record<string, Tone> = { MINOR: "neutral", MAJOR: "warn", CRITICAL: "bad" };

/** What only entities of its classes have: what a job reads, what a test expects, what a relationship ties. */
export function ClassFacts({ of }: { of: Details }) {
  const classes = classesOf(of);
  return (
    <>
      {classes.has("DATA_QUALITY_TEST") && <Test of={of} />}
      {classes.has("DATA_RELATIONSHIP") && <Relationship of={of} />}
      <Flow
        title={classes.has("DATA_TRANSFORMER")
          ? t("entity.readsAndWrites")
          : t("entity.upstreamAndDownstream")}
        of={of}
        left={["source_list", t("entity.inputs")]}
        right={["target_list", t("entity.outputs")]}
      />
      <Flow
        title={classes.has("DATA_CONSUMER") ? t("entity.showsDataOf") : t("entity.dataFlow")}
        of={of}
        left={["input_list", t("entity.inputs")]}
        right={["output_list", t("entity.outputs")]}
      />
      {classes.has("DATA_TRANSFORMER") && <ColumnLineageCard id={of.id} />}
      {!classes.has("DATA_QUALITY_TEST") && of.latest_run && (
        <Card title={t("entity.latestRun")}>
          <Run of={of} />
        </Card>
      )}
      {(of.linked_url_list?.length ?? 0) > 0 && (
        <Card title={t("entity.linksFromTheSourceSystem")}>
          <ul className={styles.list}>
            {of.linked_url_list!.map(({ name, url }, at) => (
              <li key={at}>
                <ExternalLink to={url}>{name || url}</ExternalLink>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

type ListName = "source_list" | "target_list" | "input_list" | "output_list" | "datasets_list";

/** Two lists side by side; nothing where its classes have neither. */
function Flow(
  { title, of, left, right }: {
    title: string;
    of: Details;
    left: [list: ListName, name: string];
    right: [list: ListName, name: string];
  },
) {
  const shown = [left, right].filter(([list]) => of[list] != null);
  if (shown.length === 0) return null;
  return (
    <Card title={title}>
      <div className={styles.two}>
        {shown.map(([list, name]) => (
          <div key={list} className={styles.part}>
            <h3>{name}</h3>
            <ReferenceList of={of} list={list} name={name} />
          </div>
        ))}
      </div>
    </Card>
  );
}

function Test({ of }: { of: Details }) {
  const expectation = Object.entries(of.expectation ?? {}).filter(([, value]) => value != null);
  return (
    <Card title={t("entity.test")}>
      <div className={styles.two}>
        <Facts
          of={[
            of.severity && [
              t("entity.severity"),
              <Badge key="s" tone={severityTone[of.severity]}>{words(of.severity)}</Badge>,
            ],
            !!of.suite_name && [
              t("entity.suite"),
              of.suite_url
                ? <ExternalLink key="u" to={of.suite_url}>{of.suite_name}</ExternalLink>
                : of.suite_name,
            ],
            ...expectation.map(([name, value]) =>
              [words(name), <span key={name} className="foreign">{value}</span>] as const
            ),
            [t("entity.latestRun"), <Run key="r" of={of} />],
          ]}
        />
        <div className={styles.part}>
          <h3>{t("kit.tests")}</h3>
          <ReferenceList of={of} list="datasets_list" name={t("entity.datasets")} />
        </div>
      </div>
    </Card>
  );
}

function Run({ of: { id, latest_run: run } }: { of: Details }) {
  if (!run) return <span className="soft">{t("entity.noneYet")}</span>;
  return (
    <ChipRow>
      <RunStatusBadge status={run.status} />
      <Link to="/dataentities/$id/history" params={{ id: String(id) }}>
        <Time at={run.end_time ?? run.start_time} none={t("entity.atAnUnknownTime")} />
      </Link>
      {run.status_reason && <span className="foreign soft">{run.status_reason}</span>}
    </ChipRow>
  );
}

function Relationship({ of }: { of: Details }) {
  const { source_data_entity: from, target_data_entity: to } = of;
  const end = (one: typeof from) =>
    one ? <EntityLink of={one} /> : <span className="soft">{t("kit.unknown")}</span>;
  const yes = (value: boolean) => value ? t("entity.yes") : t("entity.no");
  const erd = of.erd_relationship;
  const graph = of.graph_relationship;
  return (
    <Card title={t("entity.relationship")}>
      <div className={styles.stack}>
        <div className={styles.arrow}>
          {end(from)}
          <ArrowRight aria-label={t("kit.to2")} />
          {end(to)}
        </div>
        <Facts
          of={[
            !!erd?.cardinality && [t("entity.cardinality"), words(erd.cardinality)],
            erd?.is_identifying != null &&
            [t("entity.identifying"), yes(erd.is_identifying)],
            graph?.is_directed != null &&
            [t("entity.directed"), yes(graph.is_directed)],
            (erd?.fields_pairs.length ?? 0) > 0 &&
            [t("kit.columns"), <Pairs key="p" of={erd!.fields_pairs} />],
            ...(graph?.attributes ?? []).map(({ name, value }, at) =>
              [
                name || t("entity.attribute", { number: at + 1 }),
                <span key={at} className="foreign">{value}</span>,
              ] as const
            ),
          ]}
        />
      </div>
    </Card>
  );
}

function Pairs({ of }: { of: Schema<"ERDRelationshipPairs">[] }) {
  return of.map((pair, at) => (
    <div key={at} className="mono foreign">
      {lastPart(pair.source_dataset_field_catrn)} → {lastPart(pair.target_dataset_field_catrn)}
    </div>
  ));
}

function lastPart(catrn: string): string {
  return catrn.split("/").at(-1) || catrn;
}

type Ref = Schema<"DataEntityRef">;

/** References that are shown before `All`. */
const shownInitially = 8;

/** The first entities of a list, and all of them on demand. */
function ReferenceList({ of, list, name }: { of: Details; list: ListName; name: string }) {
  const [all, setAll] = useState(false);
  const first = of[list] ?? [];
  const total = of[`${list}_total`] ?? 0;
  const hidden = Math.max(total, first.length) > shownInitially;
  if (first.length === 0) return <span className="soft">{t("entity.none")}</span>;
  return (
    <>
      <References of={first.slice(0, shownInitially)} />
      {hidden && (
        <Button small onClick={() => setAll(true)}>
          {t("entity.all", { count: count(total) })}
        </Button>
      )}
      {all && <All id={of.id} list={list} name={name} onClose={() => setAll(false)} />}
    </>
  );
}

function References({ of }: { of: Ref[] }) {
  return (
    <ul className={styles.list}>
      {of.map((one) => (
        <li key={one.id}>
          <span className={styles.grow}>
            <EntityLink of={one} />
          </span>
          {one.status.status !== "UNASSIGNED" && <StatusBadge status={one.status} />}
        </li>
      ))}
    </ul>
  );
}

function All(
  { id, list, name, onClose }: { id: number; list: ListName; name: string; onClose: () => void },
) {
  const pages = useInfiniteQuery(
    readPages("/api/dataentities/{data_entity_id}/references/{list}", {
      path: { data_entity_id: id, list },
    }, 100),
  );
  return (
    <Dialog open onClose={onClose} title={name} wide>
      <Shown of={pages} what={t("entity.list")} bones={8}>
        {(data) => {
          const rows = rowsOf<Ref>(data);
          return (
            <>
              <References of={rows} />
              <More
                shown={rows.length}
                total={totalOf(data)}
                hasNext={pages.hasNextPage}
                busy={pages.isFetchingNextPage}
                onMore={() => void pages.fetchNextPage()}
              />
            </>
          );
        }}
      </Shown>
    </Dialog>
  );
}
