import { useInfiniteQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { Card, Page } from "#web/kit/page.tsx";
import { idsOf, oneOf, type Params, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { Allowed } from "#web/components/allowed.tsx";
import { periodOf } from "#web/components/period.tsx";
import { DeliveryDetails } from "#web/features/alerts/delivery-details.tsx";
import { DeliveryFilters } from "#web/features/alerts/delivery-filters.tsx";
import { channels, deliveryStates } from "#web/features/alerts/delivery-states.tsx";
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
