import { Link } from "@tanstack/react-router";
import { BellOff, Check, RotateCcw, Send, Share2 } from "lucide-react";
import { ChipRow } from "#web/kit/badge.tsx";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { Card, Facts } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import { MorePages } from "#web/components/paged-table.tsx";
import { AlertStatusBadge, AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityLink, TabLink } from "#web/components/entity-link.tsx";
import { useCan } from "#web/components/permissions.ts";
import type { Alert } from "#web/features/alerts/groups.ts";
import {
  affectedText,
  type AlertImpact,
  Muted,
  SeverityBadge,
  useAlertImpacts,
} from "#web/features/alerts/severity.tsx";
import { silenceOf, type useChangeStatus } from "#web/features/alerts/actions.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";
import { usePages } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";

/** All that is known of an alert, and what can be done about it. */
export function AlertDetails(
  { alert, change, canChange }: {
    alert: Alert;
    change: ReturnType<typeof useChangeStatus>["change"];
    /** Whether the caller may resolve it. */
    canChange: boolean;
  },
) {
  const { data_entity: entity } = alert;
  const impact = useAlertImpacts([alert.id]).get(alert.id);
  return (
    <Card
      title={t("alerts.alertNumber", { id: alert.id })}
      actions={<AlertStatusBadge status={alert.status} />}
    >
      <div className={styles.details}>
        <ChipRow>
          <AlertTypeBadge type={alert.type} />
          <SeverityBadge of={impact} />
        </ChipRow>
        {impact?.silence && <SilencedNote by={impact.silence} />}
        {entity && <EntityLink of={{ ...entity, has_alerts: false }} />}
        <Actions alert={alert} change={change} canChange={canChange} />
        <Facts
          of={[
            alert.data_source && [t("alerts.source"), alert.data_source.name],
            [t("alerts.firstRaised"), <Time key="first" at={alert.created_at} />],
            [t("alerts.lastRaised"), <Time key="last" at={alert.last_created_at} />],
            !!alert.status_updated_at &&
            [t("alerts.statusChanged"), <ChangedBy key="by" alert={alert} />],
            entity &&
            [t("alerts.affects"), <Reach key="reach" entity={entity.id} impact={impact} />],
          ]}
        />
        <h3>{t("alerts.messageCount", { count: alert.alert_chunk_total ?? 1 })}</h3>
        <Messages key={alert.id} alert={alert.id} />
      </div>
    </Card>
  );
}

function SilencedNote({ by }: { by: NonNullable<AlertImpact["silence"]> }) {
  return (
    <Note>
      <Muted by={by} />
      {by.comment && <p className="foreign">{by.comment}</p>}
      <Link to="/alerts/silences">{t("alerts.silences")}</Link>
    </Note>
  );
}

function ChangedBy({ alert }: { alert: Alert }) {
  const by = alert.status_updated_by;
  const time = <Time at={alert.status_updated_at} />;
  if (!by) return time;
  const name = by.owner?.name ?? by.identity.username;
  return <Rich of="alerts.timeAndName" values={{ time, name }} />;
}

function Actions({ alert, change, canChange }: Parameters<typeof AlertDetails>[0]) {
  const can = useCan();
  const open = alert.status === "OPEN";
  return (
    <div className={styles.actions}>
      {canChange && (
        <Button
          small
          variant={open ? "primary" : "plain"}
          onClick={() => void change([alert], open ? "RESOLVED" : "OPEN")}
        >
          {open ? <Check aria-hidden /> : <RotateCcw aria-hidden />}
          {open ? t("alerts.resolve") : t("alerts.reopen")}
        </Button>
      )}
      {can("NOTIFICATION_MANAGE") && (
        <Link
          to="/alerts/silences"
          search={silenceOf(alert) as never}
          className={buttonClass({ small: true })}
        >
          <BellOff aria-hidden />
          {t("alerts.silence")}
        </Link>
      )}
      {can("NOTIFICATION_VIEW") && (
        <Link
          to="/alerts/deliveries"
          search={{ alert: String(alert.id) } as never}
          className={buttonClass({ small: true })}
        >
          <Send aria-hidden />
          {t("alerts.notifications")}
        </Link>
      )}
    </div>
  );
}

/** How much reads what fails, leading to the lineage that shows it. */
function Reach({ entity, impact }: { entity: number; impact: AlertImpact | undefined }) {
  return (
    <TabLink id={entity} tab="lineage" search={{ up: "0", down: "all" }} className={styles.reach}>
      <Share2 aria-hidden />
      {impact ? affectedText(impact) : t("alerts.lineageImpact")}
    </TabLink>
  );
}

/** Everything that was said of an alert, newest first. */
function Messages({ alert }: { alert: number }) {
  const query = usePages("/api/alerts/{alert_id}/chunks", { path: { alert_id: alert } }, 20);
  return (
    <Shown of={query} what={t("alerts.messages")} bones={4}>
      {({ pages }) => {
        const messages = pages.flatMap(({ items }: Schema<"AlertChunkPage">) => items);
        return (
          <>
            <ol className={styles.messages}>
              {messages.map(({ created_at, description }, at) => (
                <li key={at}>
                  <time dateTime={created_at} className="soft">{exactTime(created_at)}</time>
                  <div className={`foreign ${styles.text}`}>
                    {description || t("alerts.noMessage")}
                  </div>
                </li>
              ))}
            </ol>
            <MorePages of={query} shown={messages.length} />
          </>
        );
      }}
    </Shown>
  );
}
