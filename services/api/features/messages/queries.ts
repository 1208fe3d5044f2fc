import type { Actor } from "#contract/actor.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { itemsJson } from "#services/api/list-json.ts";

/** Which messages are listed: `after` is the last one of the page before. */
interface MessagesQuery {
  size: number;
  after?: string;
  /** Start of links. */
  baseUrl: string;
}

const listOf = (place: string, by: string) =>
  `json_build_object('items', ${
    itemsJson({
      each: "json_message(p.m, $1)",
      by: `(p.m).id ${by}`,
      from: `(SELECT m FROM message m WHERE ${place} ORDER BY m.id ${by} LIMIT $2) p`,
    })
  })::text AS json`;

const entity = "FROM data_entity e WHERE e.id = $4 AND NOT e.hollow";

// Not prepared: planned for the requested channel, or for none.
const roots = `
  SELECT ${
  listOf(
    `m.entity_id = e.id AND m.root_id IS NULL AND ($3::uuid IS NULL OR m.id < $3)
       AND ($5::text IS NULL OR m.channel_id = $5)`,
    "DESC",
  )
} ${entity}`;

/** MessageList of the threads of an entity, the newest first; undefined for an unknown entity. */
export async function threadsOf(
  db: Queryable,
  entityId: number,
  { size, after, baseUrl, channelId }: MessagesQuery & { channelId?: string },
): Promise<string | undefined> {
  const values = [baseUrl, size, after ?? null, entityId, channelId ?? null];
  return (await db.query<JsonRow>(roots, values))[0]?.json;
}

const replies = statement<JsonRow>("message-replies")`
  SELECT ${listOf("m.root_id = r.id AND ($3::uuid IS NULL OR m.id > $3)", "ASC")}
    FROM message r WHERE r.id = $5 AND r.entity_id = $4`;

/** MessageList of the replies to a message, in their order; undefined for an unknown message. */
export async function repliesTo(
  db: Queryable,
  entityId: number,
  messageId: string,
  { size, after, baseUrl }: MessagesQuery,
): Promise<string | undefined> {
  const values = [baseUrl, size, after ?? null, entityId, messageId];
  return (await db.query(replies, values))[0]?.json;
}

const channels = statement<JsonRow>("message-channels")`
  SELECT json_build_object('items', ${
  itemsJson({
    each: "json_build_object('channel_id', c.channel_id, 'name', c.name)",
    by: "c.messages DESC, c.channel_id",
    from: `
      (SELECT m.channel_id, count(*) AS messages,
              (array_agg(m.channel_name ORDER BY m.id DESC))[1] AS name
         FROM message m
        WHERE m.entity_id = e.id
          AND starts_with(search_lower(m.channel_name), search_lower($2))
        GROUP BY m.channel_id ORDER BY 2 DESC, 1 LIMIT $3) c`,
  })
})::text AS json
    FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/** MessageChannelList: channels with the most messages about an entity; undefined for an unknown entity. */
export async function channelsOf(db: Queryable, entityId: number, prefix: string, max: number) {
  return (await db.query(channels, [entityId, prefix, max]))[0]?.json;
}

const known = statement("message-entity")`
  SELECT FROM data_entity WHERE id = $1 AND NOT hollow`;
export const isEntity = async (db: Queryable, id: number) =>
  (await db.query(known, [id])).length > 0;

const full = statement<{ full: boolean }>("message-queue-full")`
  SELECT (SELECT count(*) FROM (SELECT FROM message WHERE state = 'PENDING_SEND' LIMIT $1) q) >= $1
         AS full`;

/** Whether as many messages wait to be sent as may. */
export const isFull = async (db: Queryable, max: number) => (await db.query(full, [max]))[0]!.full;

const insert = statement<JsonRow>("message-insert")`
  INSERT INTO message AS m (id, entity_id, state, channel_id, channel_name, text, author,
                            author_provider, created_at)
  VALUES ($2, $3, 'PENDING_SEND', $4, $5, $6, $7, $8, $9)
  RETURNING json_message(m, $1)::text AS json`;

export interface NewMessage {
  id: string;
  entityId: number;
  channel: { id: string; name: string };
  text: string;
  author: Actor;
  createdAt: Date;
}

/** Writes a message that is to be sent; Message as JSON text. */
export async function insertMessage(tx: Transaction, given: NewMessage, baseUrl: string) {
  const { id, entityId, channel, text, author, createdAt } = given;
  const of = [channel.id, channel.name, text, author.name, author.provider, createdAt];
  return (await tx.query(insert, [baseUrl, id, entityId, ...of]))[0]!.json;
}

/** Wakes the sender once the transaction is committed. */
export const wakeSender = (tx: Queryable) => tx.query("SELECT pg_notify('message_sending', '')");

interface MessageLocation {
  channel_id: string;
  provider_id: string | null;
  permalink: string | null;
}

const place = statement<MessageLocation>("message-place")`
  SELECT channel_id, provider_id, permalink FROM message WHERE id = $1`;

/** Where a message is at the provider; undefined for an unknown one. */
export const placeOf = async (db: Queryable, id: string) => (await db.query(place, [id]))[0];

const keep = statement("message-permalink")`UPDATE message SET permalink = $2 WHERE id = $1`;
export const keepPermalink = (db: Queryable, id: string, permalink: string) =>
  db.query(keep, [id, permalink]);
