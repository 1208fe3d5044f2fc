import { z } from "zod";

// What is read of the provider's answers. Everything else in them is ignored.

const ok = { ok: z.literal(true) };

/** Any method that was refused. */
export const Refusal = z.object({ ok: z.literal(false), error: z.string().max(1_000) });

/** A message's id: seconds, and six decimals that distinguish ids of one second. */
export const ProviderId = z.string().regex(/^\d{1,10}\.\d{1,6}$/);

const Channel = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(500).optional(),
  is_archived: z.boolean().optional(),
  is_member: z.boolean().optional(),
  is_private: z.boolean().optional(),
});
export type Channel = z.output<typeof Channel>;

const Cursor = z.object({ next_cursor: z.string().max(2_000).optional() }).nullish();

export const ChannelPage = z.object({
  ...ok,
  channels: z.array(Channel).max(2_000),
  response_metadata: Cursor,
});

export const ChannelInfo = z.object({ ...ok, channel: Channel });

export const Posted = z.object({ ...ok, ts: ProviderId });

export const History = z.object({
  ...ok,
  messages: z.array(z.object({
    ts: ProviderId,
    metadata: z.object({
      event_type: z.string(),
      event_payload: z.object({ message_id: z.string().optional() }).catch({}),
    }).optional().catch(undefined),
  })).max(2_000),
  response_metadata: Cursor,
});

export const Permalink = z.object({ ...ok, permalink: z.string().max(2_000) });

const text = z.string().max(2_000).optional().catch(undefined);

export const UserInfo = z.object({
  ...ok,
  user: z.object({
    name: text,
    real_name: text,
    profile: z.object({ display_name: text, real_name: text, image_72: text }).optional(),
  }),
});
