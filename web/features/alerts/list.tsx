import { CornerDownRight, Database } from "lucide-react";
import type { RefObject } from "react";
import { AlertStatusBadge, alertStatusOptions, AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { ClearFilters, FacetFilter, type FacetKind } from "#web/components/facets.tsx";
import { PeriodFields } from "#web/components/time-fields.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import type { Alert, Group, Line } from "#web/features/alerts/groups.ts";
import {
  type AlertImpact,
  alertTypeOptions,
  Muted,
  SeverityBadge,
} from "#web/features/alerts/severity.tsx";
import { FilterSheet } from "#web/kit/dialog.tsx";
import { SearchField, SelectField } from "#web/kit/field.tsx";
import { pageStyles, Toolbar } from "#web/kit/page.tsx";
import { idsOf, type Params, useTextParam, without } from "#web/kit/search-params.ts";
import { Time } from "#web/kit/time.tsx";
import { type VirtualColumn, VirtualTable } from "#web/kit/virtual-table.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

interface AlertListProps {
  lines: Line[];
  /** Id of the alert whose details are shown. */
  current: number | undefined;
  onCurrent: (id: number) => void;
  /** Ids of those that are ticked. */
  ticked: ReadonlySet<number>;
  onTick: (alerts: Alert[], on: boolean) => void;
  onEnd: () => void;
  /** What each alert affects, by its id. */
  impacts: ReadonlyMap<number, AlertImpact>;
}

/** Alerts below what they are about. */
export function AlertList(props: AlertListProps) {
  const { lines, current, onCurrent, onEnd } = props;
  return (
    <VirtualTable
      label={t("alerts.alertsByWhatTheyAre")}
      rows={lines}
      keyOf={({ key }) => key}
      columns={columnsOf(props)}
      rowHeight={52}
      height="max(20rem, calc(100dvh - 20rem))"
      selected={({ alert }) => alert !== undefined && alert.id === current}
      onRow={({ group, alert }) => onCurrent((alert ?? group.alerts[0]!).id)}
      scrollTo={lines.findIndex(({ alert }) => alert !== undefined && alert.id === current)}
      onEnd={onEnd}
    />
  );
}

function columnsOf(
  { onCurrent, ticked, onTick, impacts }: AlertListProps,
): VirtualColumn<Line>[] {
  return [
    {
      name: t("alerts.select"),
      hideName: true,
      width: "2.5rem",
      cell: ({ group, alert }) => <Tick line={{ group, alert }} ticked={ticked} onTick={onTick} />,
    },
    {
      name: t("alerts.asset"),
      width: "minmax(9rem, 1fr)",
      cell: ({ group, alert }) => (
        <div className={styles.what}>
          {(!alert || group.alerts.length === 1) && <GroupTitle group={group} />}
          {alert && <AlertTitle alert={alert} onCurrent={onCurrent} />}
        </div>
      ),
    },
    {
      name: t("alerts.severity"),
      width: "5.5rem",
      cell: ({ alert, group }) => (
        <SeverityBadge
          of={impacts.get((alert ?? group.alerts[0]!).id)}
        />
      ),
    },
    {
      name: t("alerts.typeAndStatus"),
      width: "minmax(9.5rem, 16rem)",
      cell: ({ alert, group }) =>
        alert
          ? (
            <div className={styles.kind}>
              <AlertTypeBadge type={alert.type} />
              <span className={styles.status}>
                <AlertStatusBadge status={alert.status} />
                <MutedSign by={impacts.get(alert.id)?.silence} />
              </span>
            </div>
          )
          : <span className="soft">{t("alerts.alertCount", { count: group.alerts.length })}</span>,
    },
    {
      name: t("alerts.lastRaised"),
      width: "7.5rem",
      cell: ({ alert }) => alert && <Time at={alert.last_created_at ?? alert.created_at} />,
    },
  ];
}

function MutedSign({ by }: { by: AlertImpact["silence"] | undefined }) {
  return by ? <Muted by={by} short /> : null;
}

function Tick(
  { line: { group, alert }, ticked, onTick }:
    & { line: Pick<Line, "group" | "alert"> }
    & Pick<AlertListProps, "ticked" | "onTick">,
) {
  const of = alert ? [alert] : group.alerts;
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label={alert
        ? t("alerts.selectAlert", { id: alert.id })
        : t("alerts.selectAllOf", { title: titleOf(group) })}
      checked={of.every(({ id }) => ticked.has(id))}
      onChange={({ target }) => onTick(of, target.checked)}
    />
  );
}

/** Name of what alerts are about. */
function titleOf({ entity, source }: Pick<Group, "entity" | "source">): string {
  return entity ? nameOf(entity) : source?.name ?? t("alerts.anUnknownSource");
}

function GroupTitle({ group }: { group: Group }) {
  const { entity, causes } = group;
  return (
    <div className={styles.group}>
      {entity
        ? <EntityLink of={{ ...entity, has_alerts: false }} tab="alerts" />
        : (
          <span className={styles.source}>
            <Database aria-hidden />
            <span className="truncate">{titleOf(group)}</span>
          </span>
        )}
      {causes.length > 0 && (
        <span className={styles.cause} title={t("alerts.anUpstreamAssetFailsToo")}>
          <CornerDownRight aria-hidden />
          <span className="truncate">
            {t("alerts.afterCauses", { first: titleOf(causes[0]!), more: causes.length - 1 })}
          </span>
        </span>
      )}
    </div>
  );
}

function AlertTitle({ alert, onCurrent }: { alert: Alert; onCurrent: (id: number) => void }) {
  return (
    <button
      type="button"
      className={styles.title}
      title={alert.description}
      onClick={() => onCurrent(alert.id)}
    >
      <span className="truncate">{alert.description || t("alerts.noMessage")}</span>
    </button>
  );
}

const facets: { kind: FacetKind; label: PlainKey; single?: boolean }[] = [
  { kind: "owner", label: "kit.owner" },
  { kind: "source", label: "alerts.source", single: true },
  { kind: "namespace", label: "kit.namespace", single: true },
  { kind: "tag", label: "components.tag" },
];
const filterNames = ["status", "type", "q", "from", "to", ...facets.map(({ kind }) => kind)];

/** Nothing chosen, as a change of the address. */
export const noFilter: Params = without(filterNames);

/** What narrows the list; all of it is in the address. */
export function AlertFilters(
  { params, change, search }: {
    params: Params;
    change: (some: Params) => void;
    /** The box for words, so that a key can lead to it. */
    search: RefObject<HTMLInputElement | null>;
  },
) {
  const [text, setText] = useTextParam("q");
  return (
    <Toolbar>
      <SearchField
        ref={search}
        label={t("alerts.searchAlerts")}
        className={pageStyles.grow}
        value={text}
        onValue={setText}
      />
      <FilterSheet set={filterNames.filter((name) => name !== "q" && params[name]).length}>
        <SelectField
          label={t("kit.status")}
          hideLabel
          value={params.status ?? "OPEN"}
          options={[...alertStatusOptions(), ["any", t("alerts.anyStatus")]]}
          onChange={({ target }) =>
            change({ status: target.value === "OPEN" ? undefined : target.value })}
        />
        <SelectField
          label={t("kit.type")}
          hideLabel
          value={params.type ?? ""}
          options={[["", t("alerts.anyType")], ...alertTypeOptions()]}
          onChange={({ target }) => change({ type: target.value })}
        />
        {facets.map(({ kind, label, single }) => (
          <FacetFilter
            key={kind}
            kind={kind}
            label={t(label)}
            single={single}
            ids={idsOf(params[kind])}
            onIds={(ids) => change({ [kind]: ids.join(",") })}
          />
        ))}
        <PeriodFields from={params.from} to={params.to} onChange={change} />
        <ClearFilters names={filterNames} text={t("alerts.clear")} />
      </FilterSheet>
    </Toolbar>
  );
}
