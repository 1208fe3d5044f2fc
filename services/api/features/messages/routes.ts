import { z } from "@hono/zod-openapi";
import {
  maxChannelId,
  Message,
  MessageChannelList,
  MessageList,
  MessageRequest,
} from "#contract/catalogue/messages.ts";
import {
  ErrorResponse,
  idParam,
  integerQuery,
  maxPageSize,
  storableParameter,
  textQuery,
} from "#contract/http.ts";
import { networkOf } from "#kit/network.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Reply, type Route, serve } from "#platform/operations/declare.ts";
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
    serve(getDataEntityMessages, ({ params, query }) => {
      return service.threads(context, params.data_entity_id, query);
    }),
    serve(getMessages, ({ params, query }) => {
      return service.replies(context, params.data_entity_id, params.message_id, query);
    }),
    serve(getChannels, ({ params, query }) => {
      return service.entityChannels(context, params.data_entity_id, query.channel_name);
    }),
  ];
}

function chatRoutes(
  context: Context,
  { provider, channels, intake }: ReturnType<typeof service.collaborationOn>,
): Route[] {
  return [
    serve(getChatChannels, async ({ query }) => ok(await channels.list(query.channel_name))),
    serve(postMessageInChat, async ({ body, actor }) => {
      const json = await service.post({ ...context, channels }, actor, body);
      return { status: 202, json };
    }),
    serve(redirect, async ({ params }): Promise<Reply> => {
      const location = await service.pageOf({ ...context, provider }, params.message_id);
      return { status: 302, headers: { location, "cache-control": "no-store" } };
    }),
    serve(receiveChatEvent, async ({ request, actor }): Promise<Reply> => {
      const answer = await intake.take(request, networkOf(actor.address ?? ""));
      if (answer === "no event") return { status: 400 };
      return answer === "taken" ? { status: 200 } : ok(answer);
    }),
  ];
}

const collaboration = {
  tag: "dataCollaboration",
  access: "signed-in" as const,
  errors: [404],
};
const ofEntity = { ...collaboration, method: "get" as const, tag: "dataEntity" };

const messageId = z.uuid().openapi({ param: { name: "message_id", in: "path", required: true } });
const entityParams = z.object({ data_entity_id: idParam("data_entity_id") });

const pageOf = (order: string) => ({
  size: integerQuery("size", { min: 1, max: maxPageSize, required: true }),
  last_message_id: z.uuid().optional().openapi({
    param: {
      name: "last_message_id",
      in: "query",
      required: false,
      description: `Id of a message: only those ${order} are listed`,
    },
  }),
});
const channelId = storableParameter.max(maxChannelId).optional().openapi({
  param: { name: "channel_id", in: "query", required: false },
  type: "string",
});

const getChatChannels = operation({
  ...collaboration,
  id: "getChatChannels",
  method: "get",
  path: "/api/datacollaboration/providers/chat/channels",
  summary: "Channels of the chat provider that messages can be sent to, by name; the first 1,000",
  query: z.object({ channel_name: textQuery("channel_name") }),
  responses: {
    200: {
      description: "Those whose name begins so, in any case; up to a minute old",
      schema: MessageChannelList,
    },
  },
});

const postMessageInChat = operation({
  ...collaboration,
  id: "postMessageInChat",
  method: "post",
  path: "/api/datacollaboration/providers/chat/messages",
  summary: "Begin a thread about an entity in a channel; it is sent soon after",
  activity: { none: "a discussion changes nothing of the entity" },
  body: MessageRequest,
  responses: { 202: { description: "The message, which waits to be sent", schema: Message } },
});

const getDataEntityMessages = operation({
  ...ofEntity,
  id: "getDataEntityMessages",
  path: "/api/dataentities/{data_entity_id}/messages",
  summary: "Threads about an entity, the newest first",
  params: entityParams,
  query: z.object({ ...pageOf("before it"), channel_id: channelId }),
  responses: { 200: { description: "One page", schema: MessageList } },
});

const getMessages = operation({
  ...ofEntity,
  id: "getMessages",
  path: "/api/dataentities/{data_entity_id}/messages/{message_id}",
  summary: "Replies to a message, in their order",
  params: entityParams.extend({ message_id: messageId }),
  query: z.object(pageOf("after it")),
  responses: { 200: { description: "One page", schema: MessageList } },
});

const getChannels = operation({
  ...ofEntity,
  id: "getChannels",
  path: "/api/dataentities/{data_entity_id}/channels",
  summary: "The channels with the most messages about an entity; the first 100",
  params: entityParams,
  query: z.object({ channel_name: textQuery("channel_name") }),
  responses: {
    200: { description: "Those whose name begins so, in any case", schema: MessageChannelList },
  },
});

const redirect = operation({
  ...collaboration,
  id: "redirect",
  method: "get",
  path: "/api/messages/{message_id}/url",
  summary: "Lead to a message's page at the chat provider",
  params: z.object({ message_id: messageId }),
  responses: {
    302: { description: "To that page", headers: { Location: "Address of the page" } },
  },
});

const ChatEvent = z.object({
  type: z.string().optional(),
  challenge: z.string().optional(),
  event_id: z.string().optional(),
  event: z.object({ type: z.string().optional() }).optional(),
}).openapi("ChatEvent");
const ChatChallenge = z.object({ challenge: z.string() }).openapi("ChatChallenge");

const receiveChatEvent = operation({
  ...collaboration,
  id: "receiveChatEvent",
  method: "post",
  path: "/api/chat/events",
  summary:
    "Take an event of the chat provider: replies, and changes of them, to threads known here",
  access: "anonymous",
  activity: { none: "a discussion changes nothing of the entity" },
  rawBody: ChatEvent,
  responses: {
    200: {
      description: "Taken, or of no interest; with the challenge where one was sent",
      schema: ChatChallenge.optional(),
    },
    400: { description: "No JSON; without a body: no event", schema: ErrorResponse.optional() },
  },
  errors: [401, 404, 413],
});
