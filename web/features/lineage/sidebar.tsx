import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, Focus, X } from "lucide-react";
import type { ReactNode } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { buttonClass, IconButton } from "#web/kit/button.tsx";
import { count, noun, words } from "#web/kit/numbers.ts";
import { plainText } from "#web/kit/markdown-text.ts";
import { durationText, Time } from "#web/kit/time.tsx";
import { alertTypeText } from "#web/components/alerts.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { EntityIcon } from "#web/components/entity-link.tsx";
import { withoutMentions } from "#web/components/term-names.ts";
import { OwnerLink } from "#web/components/owners.tsx";
import type { LineageNode } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import { type ApiColumns, type Column, contentOf, isLinked } from "#web/graph/cards/content.ts";
import { isDataset } from "#web/features/lineage/card-state.ts";
import { readColumns, useColumnFilter } from "#web/features/lineage/columns.tsx";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/sidebar.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

export type SidebarProps = Pick<ViewportOverlayProps, "drawing" | "state" | "change"> & {
  /** Of the asset. */
  id: number;
};

/** Alerts that are named; their page has the others. */
const maxAlerts = 3;

/** The asset that was clicked, next to the drawing: what it is, how it is, whose, and where to go on. */
export function Sidebar(props: SidebarProps) {
  const { drawing: { model }, change, id } = props;
  const node = model.nodes.get(id);
  if (!node) return null;
  const button = { params: { id: String(id) }, className: buttonClass({ small: true }) };
  return (
    <aside className={styles.sidebar} aria-label={t("lineage.about", { name: shown(node.name) })}>
      <header className={styles.head}>
        <EntityIcon of={node.classes.map((name) => ({ name }))} />
        <h2 className={styles.name}>{shown(node.name)}</h2>
        <IconButton
          label={t("kit.close")}
          small
          onClick={() =>
            change({ selected: [] }, true)}
        >
          <X />
        </IconButton>
      </header>
      <p className={styles.actions}>
        <Link to="/dataentities/$id/overview" {...button}>
          <ArrowUpRight aria-hidden />
          {t("lineage.open")}
        </Link>{" "}
        <Link to="/dataentities/$id/lineage" {...button}>
          <Focus aria-hidden />
          {t("lineage.focusOnThis")}
        </Link>
      </p>
      <Overview node={node} />
      <Health id={id} />
      {node.hasAlerts && <Alerts id={id} />}
      {isDataset(model, id) && <SidebarColumns key={id} {...props} />}
    </aside>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Overview({ node }: { node: LineageNode }) {
  const { data } = useQuery({ ...readDetails(node.id), enabled: !node.hollow });
  const text = data?.internal_description || data?.external_description || "";
  const about = plainText(withoutMentions(text));
  const kind = node.hollow
    ? t("lineage.knownByNameOnly")
    : words(node.type ?? node.classes[0] ?? "");
  return (
    <Section title={t("lineage.overview")}>
      <p>
        {[kind, node.source && shown(node.source.name)].filter(Boolean).join(" · ")}
      </p>
      {about !== "" && <p className={styles.about}>{about}</p>}
      <p className="soft">
        <Rich
          of="lineage.directNeighbors"
          values={{ parents: count(node.parents), children: count(node.children) }}
        />
      </p>
    </Section>
  );
}

/** Freshness, last run, tests and owners, as the cards show them. */
function Health({ id }: { id: number }) {
  const { data } = useQuery(read("/api/dataentities/health", { query: { ids: [id] } }));
  const health = data?.items[0];
  if (!health) return null;
  const { freshness, last_run: run, tests, owners } = health;
  return (
    <>
      {(freshness || run) && (
        <Section title={t("lineage.updates")}>
          {freshness && (
            <p>
              <Rich
                of={freshness.state === "LATE" ? "lineage.lateUsually" : "lineage.updatedUsually"}
                values={{
                  time: <Time at={freshness.last_updated_at} />,
                  every: durationText(freshness.usual_gap_seconds),
                }}
              />
            </p>
          )}
          {run && (
            <p>
              <Rich
                of="lineage.lastRun"
                values={{ status: noun(run.status), time: <Time at={run.at} /> }}
              />
            </p>
          )}
        </Section>
      )}
      {tests.total > 0 && (
        <Section title={t("kit.tests")}>
          <Link to="/dataentities/$id/tests" params={{ id: String(id) }}>{testsText(tests)}</Link>
        </Section>
      )}
      <Section title={t("kit.owner")}>
        {owners.length === 0 ? <p className="soft">{t("kit.noOwner")}</p> : (
          <ul>
            {owners.map((owner) => (
              <li key={owner.id}>
                <OwnerLink of={owner} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function testsText({ total, success_total, failed_total }: Schema<"TestCounts">): string {
  if (failed_total > 0) return t("lineage.ofTestsFailed", { failedTotal: failed_total, total });
  return t("lineage.ofTestsPassed", { successTotal: success_total, total });
}

function Alerts({ id }: { id: number }) {
  const { data } = useQuery(
    read("/api/dataentities/{data_entity_id}/alerts/list", {
      path: { data_entity_id: id },
      query: { status: "OPEN", page: 1, size: maxAlerts + 1 },
    }),
  );
  if (!data || data.length === 0) return null;
  return (
    <Section title={t("kit.openAlerts")}>
      <ul>
        {data.slice(0, maxAlerts).map(({ id: alert, type, last_created_at, created_at }) => (
          <li key={alert}>
            <Link to="/dataentities/$id/alerts" params={{ id: String(id) }}>
              {alertTypeText(type)}
            </Link>{" "}
            <span className="soft">
              <Time at={last_created_at ?? created_at} />
            </span>
          </li>
        ))}
      </ul>
      {data.length > maxAlerts && (
        <Link to="/dataentities/$id/alerts" params={{ id: String(id) }}>{t("kit.allAlerts")}</Link>
      )}
    </Section>
  );
}

/** Columns that are listed at first; a search finds the others. */
const maxListed = 10;

function SidebarColumns(props: SidebarProps) {
  const { state, id } = props;
  const [up, down] = useQueries({ queries: readColumns(id, state) })
    .map(({ data }) => data as ApiColumns | undefined);
  if (!up || !down) return null;
  const [card] = contentOf([{ dataset: id, answers: [up, down] }]).cards;
  return <ColumnList {...props} columns={card!.columns} />;
}

/** Columns with lineage first; a click draws the path of one. */
function ColumnList({ state, change, id, columns }: SidebarProps & { columns: readonly Column[] }) {
  const { found, fields } = useColumnFilter(columns, t("lineage.searchColumns"));
  const listed = found.toSorted((a, b) => Number(isLinked(b)) - Number(isLinked(a)))
    .slice(0, maxListed);
  return (
    <section className={styles.section} aria-label={t("kit.columns")}>
      <h3>
        <Rich of="lineage.columns" values={{ length: count(columns.length) }} />
      </h3>
      {fields}
      <ul>
        {listed.map((column) => (
          <li key={column.key} className={styles.column}>
            <button
              type="button"
              aria-pressed={state.column === column.key}
              onClick={() =>
                change({ cards: [...state.cards, id], column: column.key, selected: [] }, true)}
            >
              {shown(column.name)}
            </button>
            {column.type && <span className="soft truncate">{shown(column.type)}</span>}
          </li>
        ))}
      </ul>
      {found.length > listed.length && (
        <p className="soft">
          <Rich
            of="lineage.moreOpenSchema"
            values={{ count: count(found.length - listed.length) }}
            tags={{ link: <Link to="/dataentities/$id/structure" params={{ id: String(id) }} /> }}
          />
        </p>
      )}
    </section>
  );
}
