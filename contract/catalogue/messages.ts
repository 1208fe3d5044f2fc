import { z } from "@hono/zod-openapi";
import { Long, optional } from "#contract/catalogue/common.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { givenText, StorableText } from "#contract/text.ts";

/** Longest text of a message, UTF-16 units; the provider advises against longer ones. */
export const maxMessageText = 4_000;
/** Longest id of a channel. */
export const maxChannelId = 100;

/**
 * PENDING_SEND: waits for being sent. SENT: the provider has it. EXTERNAL: a reply that was written at the provider.
 * ERROR_SENDING: failed. DELETED: not used yet.
 */
const messageStates = [
  "PENDING_SEND",
  "SENT",
  "EXTERNAL",
  "DELETED",
  "ERROR_SENDING",
] as const;
export const MessageState = z.enum(messageStates).openapi("MessageState");

/** A channel of the chat provider. */
export const MessageChannel = z.object({ channel_id: z.string(), name: z.string() })
  .openapi("MessageChannel");
export const MessageChannelList = z.object({ items: z.array(MessageChannel) })
  .openapi("MessageChannelList");

/**
 * A message about an entity: the beginning of a thread, or a reply. `url` leads to it at the provider;
 * `children_messages_count` is null for a reply; `error` says why the last attempt to send it failed.
 */
export const Message = z.object({
  id: z.uuid(),
  text: z.string(),
  username: optional(z.string()),
  username_avatar: optional(z.string()),
  created_at: Timestamp,
  url: optional(z.string()),
  channel: MessageChannel,
  state: MessageState,
  children_messages_count: optional(Long),
  error: optional(z.string()),
}).openapi("Message");
export const MessageList = z.object({ items: z.array(Message) }).openapi("MessageList");

/** A message to be posted. */
export const MessageRequest = z.object({
  data_entity_id: Id,
  channel_id: StorableText.min(1, { error: "must not be empty" })
    .max(maxChannelId, { error: `must be at most ${maxChannelId} long` }),
  text: givenText({ min: 1, max: maxMessageText }),
}).openapi("MessageRequest");
export type MessageRequest = z.output<typeof MessageRequest>;
