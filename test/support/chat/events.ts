import { uuidv7 } from "#kit/ids.ts";
import type { Queryable } from "#metadata/postgres/database.ts";

/** What the provider calls the thread of these events, in the channel `C1`. */
export const threadId = "1800000000.000001";

/** The message that began the thread, as it is after it was sent; its id. */
export async function seedThread(db: Queryable, entity: number): Promise<string> {
  const id = uuidv7(1_800_000_000_000);
  await db.query(
    `INSERT INTO message (id, entity_id, state, channel_id, channel_name, text, created_at, provider_id)
     VALUES ($1, $2, 'SENT', 'C1', 'general', 'is it late?', $3, $4)`,
    [id, entity, new Date(1_800_000_000_000), threadId],
  );
  return id;
}

/** An event of a new reply; `more` is laid over it. */
export function reply(ts: string, more: object = {}) {
  const event = {
    type: "message",
    channel: "C1",
    user: "U1",
    text: `reply ${ts}`,
    ts,
    thread_ts: threadId,
    event_ts: ts,
    ...more,
  };
  return { type: "event_callback", team_id: "T1", event_id: `E-${ts}`, event };
}

/** An event of a reply whose text was changed at that time. */
export function change(ts: string, text: string, at: string, more: object = {}) {
  const message = {
    type: "message",
    user: "U1",
    text,
    ts,
    thread_ts: threadId,
    edited: { user: "U1", ts: at },
    ...more,
  };
  const event = {
    type: "message",
    subtype: "message_changed",
    channel: "C1",
    ts: at,
    message,
    previous_message: {},
  };
  return { type: "event_callback", team_id: "T1", event_id: `E-${ts}-${at}`, event };
}
