import { useInfiniteQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { notificationChannels } from "#web/api/values.gen.ts";
import type { Schema } from "#web/api/client.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { idsOf, oneOf, type Params, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { actionsColumn, type Column, textColumn, timeColumn } from "#web/kit/table.tsx";
import { SearchField, SelectField, useDebounced } from "#web/kit/field.tsx";
import { wordOptions, words } from "#web/kit/numbers.ts";
import { Button } from "#web/kit/button.tsx";
import { Chip } from "#web/kit/badge.tsx";
import { FilterSheet } from "#web/kit/dialog.tsx";
import { Allowed } from "#web/components/allowed.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import { PeriodFields, periodOf } from "#web/components/time-fields.tsx";
import { AlertTypeBadge } from "#web/components/alerts.tsx";
import { ClearFilters } from "#web/components/facets.tsx";
import { EntityById } from "#web/components/entity-details.tsx";
import {
  DeliveryDetails,
  DeliveryStateBadge,
  deliveryStateOptions,
  deliveryStates,
} from "#web/features/alerts/delivery.tsx";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

type Delivery = Schema<"NotificationDelivery">;

/** To whom each change of an alert was sent, and with which outcome. */
export function DeliveriesScreen() {
  return (
    <Page
      title={t("alerts.notificationLog")}
      about={t("alerts.everyNotificationAboutAnAlert")}
      full
    >
      <AlertTabs />
      <Allowed permission="NOTIFICATION_VIEW" what={t("alerts.deliveries")}>
        <DeliveryFilters />
        <Deliveries />
        <DeliveryDetails />
      </Allowed>
    </Page>
  );
}

/** Milliseconds after which messages that are on their way are looked at again. */
const refetchMs = 5_000;

function queryOf(params: Params, recipient: string | undefined) {
  return {
    ...periodOf(params.from, params.to),
    state: oneOf(params.state, deliveryStates),
    channel: oneOf(params.channel, notificationChannels),
    recipient: recipient?.trim() || undefined,
    alert_id: idsOf(params.alert)[0],
    entity_id: idsOf(params.entity)[0],
    event_id: idsOf(params.event)[0],
  };
}

function Deliveries() {
  const [params, change] = useParamsOfView();
  const filters = queryOf(params, useDebounced(params.recipient));
  const query = useInfiniteQuery({
    ...readPages("/api/notifications/deliveries", { query: filters }),
    refetchInterval: ({ state }) =>
      rowsOf<Delivery>(state.data).some((one) => one.state === "PENDING") && refetchMs,
  });
  return (
    <Card flush>
      <PagedTable<Delivery>
        of={query}
        what={t("alerts.deliveries")}
        label={t("alerts.notifications")}
        columns={columnsOf((delivery) => change({ delivery }, true))}
        empty={
          <Empty title={t("alerts.noNotificationsMatch")} icon={<Send aria-hidden />}>
            {t("alerts.messagesAreSentWhereThe")}
          </Empty>
        }
      />
    </Card>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<Delivery>[] {
  return [
    timeColumn(t("alerts.when"), ({ created_at }) => created_at),
    {
      name: t("alerts.about"),
      cell: ({ entity_id, alert_id }) =>
        entity_id
          ? <EntityById id={entity_id} tab="alerts" />
          : t("alerts.alertNumber", { id: alert_id }),
    },
    { name: t("kit.whatHappened"), cell: (one) => <Happened delivery={one} /> },
    {
      name: t("kit.to"),
      cell: ({ channel, recipient }) => (
        <div className={styles.kind}>
          <span className="soft">{words(channel)}</span>
          <span className="foreign">{recipient}</span>
        </div>
      ),
    },
    {
      name: t("alerts.state"),
      tight: true,
      cell: ({ state, attempt_count }) => (
        <div className={styles.kind}>
          <DeliveryStateBadge state={state} />
          <span className="soft">{t("alerts.attemptCount", { count: attempt_count })}</span>
        </div>
      ),
    },
    textColumn(t("alerts.cause"), causeOf),
    actionsColumn(({ id, alert_id }) => (
      <Button
        small
        aria-label={t("alerts.detailsOfDelivery", { id: alert_id })}
        onClick={() => onOpen(id)}
      >
        {t("alerts.details")}
      </Button>
    )),
  ];
}

function Happened({ delivery }: { delivery: Delivery }) {
  const event = words(delivery.event_type);
  return (
    <div className={styles.kind}>
      <AlertTypeBadge type={delivery.alert_type} />
      <span>{delivery.kind === "FOLLOW_UP" ? t("alerts.followUp", { event }) : event}</span>
    </div>
  );
}

/** Why it is in its state, if there is a reason. */
function causeOf({ reason, attempts, state }: Delivery): string {
  const last = attempts.at(-1);
  return reason ?? (state === "DELIVERED" ? "" : last?.cause ?? "");
}

/** Narrowed to one of them by links from elsewhere. */
const numbers = ["alert", "entity", "event"] as const;
const names = ["state", "channel", "recipient", "from", "to", ...numbers];

function DeliveryFilters() {
  const [params, change] = useParamsOfView();
  return (
    <Toolbar>
      <SearchField
        label={t("alerts.recipientExactMatch")}
        className={pageStyles.grow}
        value={params.recipient ?? ""}
        onValue={(recipient) => change({ recipient })}
      />
      <FilterSheet set={names.filter((name) => name !== "recipient" && params[name]).length}>
        <SelectField
          label={t("alerts.state")}
          hideLabel
          value={params.state ?? ""}
          options={[["", t("alerts.anyState")], ...deliveryStateOptions()]}
          onChange={({ target }) => change({ state: target.value })}
        />
        <SelectField
          label={t("kit.channel")}
          hideLabel
          value={params.channel ?? ""}
          options={[["", t("alerts.anyChannel")], ...wordOptions(notificationChannels)]}
          onChange={({ target }) => change({ channel: target.value })}
        />
        <PeriodFields from={params.from} to={params.to} onChange={change} />
        {numbers.map((name) =>
          params[name] && (
            <Chip
              key={name}
              name={t("alerts.ofOne", { kind: name, id: params[name] })}
              onRemove={() => change({ [name]: undefined })}
            />
          )
        )}
        <ClearFilters names={names} text={t("alerts.clear")} />
      </FilterSheet>
    </Toolbar>
  );
}
