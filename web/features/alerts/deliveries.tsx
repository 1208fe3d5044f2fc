import { useInfiniteQuery } from "@tanstack/react-query";
import { Send, X } from "lucide-react";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { idsOf, oneOf, type Params, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { Chip } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { SearchField, SelectField } from "#web/kit/field.tsx";
import { FilterSheet } from "#web/kit/filter-sheet.tsx";
import { words } from "#web/kit/numbers.ts";
import { Allowed } from "#web/components/allowed.tsx";
import { PeriodFields, periodOf } from "#web/components/period.tsx";
import { DeliveryDetails } from "#web/features/alerts/delivery-details.tsx";
import {
  channels,
  deliveryStateOptions,
  deliveryStates,
} from "#web/features/alerts/delivery-states.tsx";
import { DeliveryTable } from "#web/features/alerts/delivery-table.tsx";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
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
    channel: oneOf(params.channel, channels),
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
    ...readPages("/api/notifications/deliveries", { params: { query: filters } }),
    refetchInterval: ({ state }) =>
      rowsOf<Delivery>(state.data).some((one) => one.state === "PENDING") && refetchMs,
  });
  return (
    <Card flush>
      <Shown of={query} what={t("alerts.deliveries")} bones={8}>
        {(data) => {
          const deliveries = rowsOf<Delivery>(data);
          if (deliveries.length === 0) return <NoDeliveries />;
          return (
            <>
              <DeliveryTable
                deliveries={deliveries}
                onOpen={(delivery) => change({ delivery }, true)}
              />
              <More
                shown={deliveries.length}
                total={totalOf(data)}
                hasNext={query.hasNextPage}
                busy={query.isFetchingNextPage}
                onMore={() => void query.fetchNextPage()}
              />
            </>
          );
        }}
      </Shown>
    </Card>
  );
}

function NoDeliveries() {
  return (
    <Empty title={t("alerts.noNotificationsMatch")} icon={<Send aria-hidden />}>
      {t("alerts.messagesAreSentWhereThe")}
    </Empty>
  );
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
          options={[
            ["", t("alerts.anyChannel")],
            ...channels.map((one) => [one, words(one)] as const),
          ]}
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
        {names.some((name) => params[name]) && (
          <Button
            variant="quiet"
            onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            <X aria-hidden />
            {t("alerts.clear")}
          </Button>
        )}
      </FilterSheet>
    </Toolbar>
  );
}
