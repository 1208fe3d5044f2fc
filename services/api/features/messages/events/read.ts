import { z } from "zod";
import { maxChannelId } from "#contract/catalogue/messages.ts";
import { bounded } from "#kit/text.ts";
import { ProviderId } from "#platform/chat/call.ts";

/** Longest text of a reply that is stored, UTF-16 units; the provider cuts at as many. */
export const maxReplyText = 40_000;

const Id = z.string().regex(/^[!-~]+$/).max(maxChannelId);

const Reply = z.object({
  type: z.literal("message"),
  subtype: z.undefined().optional(),
  channel: Id,
  user: Id.optional().catch(undefined),
  text: z.string(),
  ts: ProviderId,
  thread_ts: ProviderId,
});

const Change = z.object({
  type: z.literal("message"),
  subtype: z.literal("message_changed"),
  channel: Id,
  ts: ProviderId.optional().catch(undefined),
  event_ts: ProviderId.optional().catch(undefined),
  message: z.object({
    user: Id.optional().catch(undefined),
    text: z.string(),
    ts: ProviderId,
    thread_ts: ProviderId,
    edited: z.object({ ts: ProviderId }).optional().catch(undefined),
  }),
});

/** A thread event of the provider: a reply, or with `editId` the new text of a reply. */
export interface ThreadEvent {
  channelId: string;
  threadId: string;
  providerId: string;
  /** When the text was changed; null for a new reply. */
  editId: string | null;
  userId: string | null;
  text: string;
}

/** Reads an event of the provider; null for one that concerns no reply. `now`: milliseconds. */
export function threadEventOf(event: unknown, now: number): ThreadEvent | null {
  const read = replyOf(event) ?? changeOf(event, now);
  // The beginning of a thread is ours, or concerns us not.
  return read && read.threadId !== read.providerId ? read : null;
}

function replyOf(event: unknown): ThreadEvent | null {
  const { data } = Reply.safeParse(event);
  if (!data) return null;
  const { channel, user, text, ts, thread_ts } = data;
  return eventOf({ channel, user, text, ts, thread_ts, editId: null });
}

function changeOf(event: unknown, now: number): ThreadEvent | null {
  const { data } = Change.safeParse(event);
  if (!data) return null;
  const { channel, message, event_ts, ts } = data;
  const editId = message.edited?.ts ?? event_ts ?? ts ?? (now / 1_000).toFixed(6);
  return eventOf({ channel, ...message, editId });
}

interface ChatMessage {
  channel: string;
  user?: string;
  text: string;
  ts: string;
  thread_ts: string;
  editId: string | null;
}

function eventOf({ channel, user, text, ts, thread_ts, editId }: ChatMessage): ThreadEvent {
  return {
    channelId: channel,
    threadId: thread_ts,
    providerId: ts,
    editId,
    userId: user ?? null,
    text: bounded(text, maxReplyText),
  };
}
