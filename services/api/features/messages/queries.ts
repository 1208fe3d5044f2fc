import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { itemsJson } from "#services/api/list-json.ts";

const listOf = (place: string, by: string) =>
  `json_build_object('items', ${
    itemsJson({
      each: "json_message(p.m, $1)",
      by: `(p.m).id ${by}`,
      from: `(SELECT m FROM message m WHERE ${place} ORDER BY m.id ${by} LIMIT $2) p`,
    })
  })::text AS json`;

const entity = "FROM data_entity e WHERE e.id = $4 AND NOT e.hollow";

/** MessageList of the threads of an entity ($4), the newest first; $1 start of links, $2 size, $3 last message before, $5 channel. */
// Not prepared: planned for the requested channel, or for none.
export const threadsOf = `
  SELECT ${
  listOf(
    `m.entity_id = e.id AND m.root_id IS NULL AND ($3::uuid IS NULL OR m.id < $3)
       AND ($5::text IS NULL OR m.channel_id = $5)`,
    "DESC",
  )
} ${entity}`;

/** MessageList of the replies to the message $5 of the entity $4, in their order; $1 to $3 as for threads. */
export const repliesTo = statement<JsonRow>("message-replies")`
  SELECT ${listOf("m.root_id = r.id AND ($3::uuid IS NULL OR m.id > $3)", "ASC")}
    FROM message r WHERE r.id = $5 AND r.entity_id = $4`;

/** MessageChannelList: the $3 channels with the most messages about the entity $1 whose names begin with $2. */
export const channelsOf = statement<JsonRow>("message-channels")`
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

export const knownEntity = statement("message-entity")`
  SELECT FROM data_entity WHERE id = $1 AND NOT hollow`;

/** Whether as many messages wait to be sent as may ($1). */
export const queueFull = statement<{ full: boolean }>("message-queue-full")`
  SELECT (SELECT count(*) FROM (SELECT FROM message WHERE state = 'PENDING_SEND' LIMIT $1) q) >= $1
         AS full`;

/** Writes a message that is to be sent; Message. */
export const insert = statement<JsonRow>("message-insert")`
  INSERT INTO message AS m (id, entity_id, state, channel_id, channel_name, text, author,
                            author_provider, created_at)
  VALUES ($2, $3, 'PENDING_SEND', $4, $5, $6, $7, $8, $9)
  RETURNING json_message(m, $1)::text AS json`;

/** Where a message is at the provider. */
export const placeOf = statement<
  { channel_id: string; provider_id: string | null; permalink: string | null }
>("message-place")`
  SELECT channel_id, provider_id, permalink FROM message WHERE id = $1`;

export const keepPermalink = statement("message-permalink")`
  UPDATE message SET permalink = $2 WHERE id = $1`;
