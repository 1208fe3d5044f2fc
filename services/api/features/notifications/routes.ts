import { z } from "@hono/zod-openapi";
import {
  NotificationDelivery,
  NotificationDeliveryList,
  Silence,
  SilenceForm,
  SilenceList,
} from "#contract/catalogue/alerts.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { enumQuery, idParam, idQuery, pageQueryWithDefaults, timeQuery } from "#contract/http.ts";
import { deliveryStates, notificationChannels } from "#contract/notifications.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "#services/api/features/notifications/service.ts";

const common = {
  tag: "notification",
  activity: { none: "the feed contains changes of entities; a notification is not one" },
};
// Deliveries and silences both reveal who receives which messages.
const view = { permission: "NOTIFICATION_VIEW", on: "MANAGEMENT" } as const;
const manage = { permission: "NOTIFICATION_MANAGE", on: "MANAGEMENT" } as const;

const deliveryParams = z.object({
  delivery_id: z.uuid({ error: "must be a UUID" }).openapi({
    param: { name: "delivery_id", in: "path", required: true },
  }),
});

const listSpec = operation({
  ...common,
  id: "getNotificationDeliveries",
  method: "get",
  path: "/api/notifications/deliveries",
  summary: "What was announced to whom, newest first, with the attempts",
  access: view,
  query: z.object({
    ...pageQueryWithDefaults,
    state: enumQuery("state", [...deliveryStates]),
    channel: enumQuery("channel", [...notificationChannels]),
    recipient: searchQuery("recipient", "A recipient, exact match"),
    alert_id: idQuery("alert_id"),
    entity_id: idQuery("entity_id"),
    event_id: idQuery("event_id"),
    begin_date: timeQuery("begin_date"),
    end_date: timeQuery("end_date"),
  }),
  responses: { 200: { description: "One page", schema: NotificationDeliveryList } },
});

const oneSpec = operation({
  ...common,
  id: "getNotificationDelivery",
  method: "get",
  path: "/api/notifications/deliveries/{delivery_id}",
  summary: "One delivery with its newest 1,000 attempts",
  access: view,
  params: deliveryParams,
  responses: { 200: { description: "The delivery", schema: NotificationDelivery } },
});

const resendSpec = operation({
  ...common,
  id: "resendNotificationDelivery",
  method: "post",
  path: "/api/notifications/deliveries/{delivery_id}/resend",
  summary: "Send a failed delivery again, with the same delivery id",
  access: manage,
  params: deliveryParams,
  responses: { 200: { description: "The delivery, now pending", schema: NotificationDelivery } },
});

const silencesSpec = operation({
  ...common,
  id: "getNotificationSilences",
  method: "get",
  path: "/api/notifications/silences",
  summary: "Silences, active or expired, the longest first",
  access: view,
  query: z.object({ ...pageQueryWithDefaults, active: enumQuery("active", ["true", "false"]) }),
  responses: { 200: { description: "One page", schema: SilenceList } },
});

const silenceSpec = operation({
  ...common,
  id: "createNotificationSilence",
  method: "post",
  path: "/api/notifications/silences",
  summary: "Keep alerts quiet until a time, by entity, namespace, owner or type",
  access: manage,
  body: SilenceForm,
  responses: { 200: { description: "The silence", schema: Silence } },
});

const unsilenceSpec = operation({
  ...common,
  id: "deleteNotificationSilence",
  method: "delete",
  path: "/api/notifications/silences/{silence_id}",
  summary: "End a silence",
  access: manage,
  params: z.object({ silence_id: idParam("silence_id") }),
  responses: { 204: { description: "Ended" } },
});

/** The operations on the delivery log and on silences. */
export function notificationRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => service.listDeliveries(context, query)),
    serve(oneSpec, ({ params }) => service.describeDelivery(context, params.delivery_id)),
    serve(resendSpec, ({ params }) => service.resendDelivery(context, params.delivery_id)),
    serve(silencesSpec, ({ query }) => service.listSilences(context, query)),
    serve(silenceSpec, ({ body, actor }) => service.createSilence(context, actor, body)),
    serve(unsilenceSpec, ({ params, actor }) => {
      return service.deleteSilence(context, actor, params.silence_id);
    }),
  ];
}
