import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Ban,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  Merge,
  Pause,
  RotateCcw,
} from "lucide-react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { messageOf } from "#web/api/errors.ts";
import { alertTypeText } from "#web/components/alerts.tsx";
import { EntityById } from "#web/components/entity-details.tsx";
import { useCan } from "#web/components/permissions.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Facts } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Note, Shown } from "#web/kit/states.tsx";
import { type Column, Table, textColumn } from "#web/kit/table.tsx";
import { exactTime } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

type Delivery = Schema<"NotificationDelivery">;
type Attempt = Schema<"NotificationDeliveryAttempt">;

/** Milliseconds after which a message that is on its way is looked at again. */
const refetchMs = 2_000;

/** One delivery with its attempts, while the address names it. */
export function DeliveryDetails() {
  const [params, change] = useParamsOfView();
  const id = params.delivery;
  const query = useQuery({
    ...read("/api/notifications/deliveries/{delivery_id}", { path: { delivery_id: id ?? "" } }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => state.data?.state === "PENDING" && refetchMs,
  });
  const resend = useResend();
  const manage = useCan()("NOTIFICATION_MANAGE");
  return (
    <Dialog
      open={id !== undefined}
      onClose={() => change({ delivery: undefined })}
      title={t("alerts.delivery")}
      wide
      actions={manage && query.data?.state === "FAILED" && (
        <Button
          variant="primary"
          busy={resend.isPending}
          onClick={() => resend.mutate(query.data!.id)}
        >
          <RotateCcw aria-hidden />
          {t("alerts.sendAgain")}
        </Button>
      )}
    >
      <Shown of={query} what={t("alerts.delivery2")} bones={8}>
        {(delivery) => (
          <div className={styles.details}>
            {resend.isError && <Note tone="bad">{messageOf(resend.error)}</Note>}
            <About delivery={delivery} />
            <h3>{t("alerts.attempts")}</h3>
            {delivery.attempts.length > 0
              ? (
                <Table
                  label={t("alerts.attempts")}
                  columns={attemptColumns()}
                  rows={delivery.attempts.toReversed()}
                  keyOf={({ number }) => number}
                />
              )
              : <p className="soft">{t("alerts.noAttemptsYet")}</p>}
          </div>
        )}
      </Shown>
    </Dialog>
  );
}

function useResend() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      send("post", "/api/notifications/deliveries/{delivery_id}/resend", {
        path: { delivery_id: id },
      }),
    onSuccess: () => toast(t("alerts.notificationQueuedAgain")),
    onSettled: () => refresh(queries, "/api/notifications/deliveries"),
  });
}

function About({ delivery }: { delivery: Delivery }) {
  const { state, reason, entity_id, alert_id, event_id } = delivery;
  return (
    <Facts
      of={[
        [
          t("alerts.state"),
          <span key="s" className={styles.event}>
            <DeliveryStateBadge state={state} />
            <span className="soft">{t(stateBadges[state][3])}</span>
          </span>,
        ],
        !!reason && [t("alerts.why"), <span key="w" className="foreign">{reason}</span>],
        [
          t("kit.to"),
          t("alerts.channelAndRecipient", {
            channel: words(delivery.channel),
            recipient: delivery.recipient,
          }),
        ],
        !!entity_id && [t("alerts.about"), <EntityById key="e" id={entity_id} tab="alerts" />],
        [
          t("alerts.alert"),
          <span key="a" className={styles.event}>
            {t("alerts.typeAndWhat", {
              type: alertTypeText(delivery.alert_type),
              what: words(delivery.event_type),
            })}
            <Narrow name="alert" id={alert_id}>{t("alerts.allOfThisAlert")}</Narrow>
            <Narrow name="event" id={event_id}>{t("alerts.allOfThisEvent")}</Narrow>
          </span>,
        ],
        [t("alerts.happened"), exactTime(delivery.event_at)],
        !!delivery.due_at && [t("alerts.due"), exactTime(delivery.due_at)],
        !!delivery.ended_at && [t("alerts.ended"), exactTime(delivery.ended_at)],
        !!delivery.merged_into && [
          t("alerts.mergedInto"),
          <Narrow key="m" name="delivery" id={delivery.merged_into}>
            {t("alerts.theDeliveryThatHasIt")}
          </Narrow>,
        ],
      ]}
    />
  );
}

/** Leads to what is about the same. */
function Narrow(
  { name, id, children }: { name: string; id: string | number; children: string },
) {
  return <Link to="/alerts/deliveries" search={{ [name]: String(id) } as never}>{children}</Link>;
}

const attemptColumns = (): Column<Attempt>[] => [
  {
    name: t("alerts.attemptNumber"),
    right: true,
    tight: true,
    cell: ({ number }) => count(number),
  },
  { name: t("alerts.when"), cell: ({ at }) => exactTime(at) },
  { name: t("alerts.outcome"), cell: ({ outcome }) => words(outcome) },
  {
    name: t("alerts.answer"),
    cell: ({ status }) => status ?? <span className="soft">{t("alerts.none")}</span>,
  },
  {
    name: t("alerts.took"),
    right: true,
    cell: ({ duration_ms }) =>
      duration_ms == null
        ? <span className="soft">{t("kit.unknown")}</span>
        : t("alerts.milliseconds", { count: count(duration_ms) }),
  },
  textColumn(t("alerts.cause"), ({ cause }) => cause),
];

type DeliveryState = Schema<"NotificationDeliveryState">;

const stateBadges: Record<
  DeliveryState,
  [tone: Tone, icon: LucideIcon, text: PlainKey, about: PlainKey]
> = {
  PENDING: ["info", Clock, "alerts.pending", "alerts.aboutPending"],
  HELD: ["warn", Pause, "alerts.delayed", "alerts.aboutDelayed"],
  DELIVERED: ["good", CircleCheck, "alerts.delivered", "alerts.aboutDelivered"],
  FAILED: ["bad", CircleX, "alerts.failed", "alerts.aboutFailed"],
  SUPPRESSED: ["neutral", Ban, "alerts.notSent", "alerts.aboutNotSent"],
  MERGED: ["neutral", Merge, "alerts.grouped", "alerts.aboutGrouped"],
};

export const deliveryStates = Object.keys(stateBadges) as DeliveryState[];
export const deliveryStateOptions = () =>
  deliveryStates.map((state) => [state, t(stateBadges[state][2])] as const);

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const [tone, Icon, text] = stateBadges[state];
  return <Badge tone={tone} icon={<Icon aria-hidden />}>{t(text)}</Badge>;
}
