import { networkOf } from "#kit/network.ts";
import type { Context } from "#platform/context.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { ok, okJson, type Reply } from "#platform/operations/reply.ts";
import * as operations from "./operations.ts";
import * as service from "./service.ts";

/** The operations of data collaboration; while it is off, each of them answers 404. */
export function messageRoutes(
  context: Context,
  opened = service.collaborationOn(context),
): Route[] {
  const off = service.collaborationOff(context);
  const routes = [...readRoutes(context), ...chatRoutes(context, opened)];
  return off === undefined ? routes : routes.map((route) => ({ ...route, off }));
}

function readRoutes(context: Context): Route[] {
  return [
    serve(
      operations.getDataEntityMessages,
      async ({ params, query }) =>
        okJson(await service.threads(context, params.data_entity_id, query)),
    ),
    serve(operations.getMessages, async ({ params, query }) => {
      const { data_entity_id: entity, message_id: message } = params;
      return okJson(await service.replies(context, entity, message, query));
    }),
    serve(operations.getChannels, async ({ params, query }) => {
      const { data_entity_id: entity } = params;
      return okJson(await service.entityChannels(context, entity, query.channel_name));
    }),
  ];
}

function chatRoutes(
  context: Context,
  { provider, channels, intake }: ReturnType<typeof service.collaborationOn>,
): Route[] {
  return [
    serve(
      operations.getChatChannels,
      async ({ query }) => ok(await channels.list(query.channel_name)),
    ),
    serve(operations.postMessageInChat, async ({ body, actor }) => {
      const json = await service.post({ ...context, channels }, actor, body);
      return { status: 202, json };
    }),
    serve(operations.redirect, async ({ params }): Promise<Reply> => {
      const location = await service.pageOf({ ...context, provider }, params.message_id);
      return { status: 302, headers: { location, "cache-control": "no-store" } };
    }),
    serve(operations.receiveChatEvent, async ({ request, actor }): Promise<Reply> => {
      const answer = await intake.take(request, networkOf(actor.address ?? ""));
      if (answer === "no event") return { status: 400 };
      return answer === "taken" ? { status: 200 } : ok(answer);
    }),
  ];
}
