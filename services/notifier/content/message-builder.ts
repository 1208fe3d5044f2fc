import type { AlertEventRecord } from "#contract/alerts.ts";
import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";
import type { LineageGraph } from "#graph/port.ts";
import { PermanentError } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type Reach, reachOfEach } from "./reach.ts";

interface MessageBuilderOptions {
  db: Queryable;
  graph: LineageGraph;
  /** Levels of affected entities that a message names. */
  depth: number;
  /** Budgets of the walk of one message. */
  maxNodes: number;
  timeoutMs: number;
}

/**
 * Bounds of one message: chunks, the newest; characters of one and of all; affected entities, the
 * nearest.
 */
export const messageBounds = {
  chunks: 1_000,
  description: 16_000,
  descriptions: 1_000_000,
  downstream: 5_000,
};

/** Hollow entities are passed by, so more are looked at than a message names. */
const maxWalked = 2 * messageBounds.downstream;

/** An entity as messages name one; what a hollow one is, is not known. */
interface MessageEntity {
  shown: NotifiedEntity;
  hollow: boolean;
}

type Chunk = AlertMessage["alert_chunks"][number];

/** Makes the messages of a batch of events with a fixed number of queries, and a walk an entity. */
export class MessageBuilder {
  constructor(private readonly options: MessageBuilderOptions) {}

  /**
   * The message of each event, by its id, or why there is none. Rejects with `GraphDown` when the graph
   * does not answer; `withoutGraph` lists no affected entities, and states that there may be some.
   */
  async build(
    events: AlertEventRecord[],
    { withoutGraph = false } = {},
  ): Promise<Map<number, AlertMessage | PermanentError>> {
    const { db } = this.options;
    const ids = distinct(events.map((event) => event.entity_id));
    const [roots, chunks, reached] = await Promise.all([
      knownEntities(db, ids),
      chunksOf(db, distinct(events.map((event) => event.alert_id))),
      withoutGraph ? new Map<number, Reach>() : this.#reached(ids),
    ]);
    const named = await this.#named(reached);
    const made = events.map((event) => {
      const affected = reached.get(event.entity_id ?? 0) ?? unknownReach(event, withoutGraph);
      const data = { root: roots.get(event.entity_id ?? 0), affected, named };
      return [event.id, buildMessage(event, chunks.get(event.alert_id) ?? [], data)] as const;
    });
    return new Map(made);
  }

  #reached(roots: number[]): Promise<Map<number, Reach>> {
    const { db, graph, depth, maxNodes, timeoutMs } = this.options;
    const options = { direction: "downstream" as const, depth, maxNodes, timeoutMs };
    return reachOfEach(graph, db, roots, options);
  }

  #named(reached: Map<number, Reach>): Promise<Map<number, MessageEntity>> {
    const ids = [...reached.values()].flatMap((r) => r.ids.slice(0, maxWalked));
    return knownEntities(this.options.db, distinct(ids));
  }
}

interface MessageData {
  root: MessageEntity | undefined;
  affected: Reach;
  named: Map<number, MessageEntity>;
}

function buildMessage(
  event: AlertEventRecord,
  chunks: Chunk[],
  { root, affected, named }: MessageData,
): AlertMessage | PermanentError {
  if (event.entity_id !== null && !root) {
    return new PermanentError("entity_gone", `entity ${event.entity_id} does not exist any more`);
  }
  const downstream = shown(affected.ids, named);
  const cut = downstream.length > messageBounds.downstream || affected.ids.length > maxWalked;
  return {
    alert_chunks: chunks,
    alert_type: event.alert_type,
    event_type: event.event_type,
    event_at: event.event_at,
    updated_by: event.updated_by,
    data_entity: root?.shown ?? null,
    downstream: downstream.slice(0, messageBounds.downstream),
    downstream_truncated: affected.truncated || cut,
    consequences: [],
    grouped_events: [],
  };
}

function shown(ids: number[], named: Map<number, MessageEntity>): NotifiedEntity[] {
  return ids.map((id) => named.get(id)).filter((entity) => entity && !entity.hollow)
    .map((entity) => entity!.shown);
}

/** An alert of no entity affects nothing; without the graph the affected entities are unknown. */
function unknownReach(event: AlertEventRecord, withoutGraph: boolean): Reach {
  return { ids: [], truncated: withoutGraph && event.entity_id !== null };
}

async function chunksOf(db: Queryable, alerts: number[]): Promise<Map<number, Chunk[]>> {
  const rows = await db.query<{ alert_id: number; created_at: Date; description: string }>(
    newestChunks,
    [alerts, messageBounds.chunks, messageBounds.description, messageBounds.descriptions],
  );
  const chunks = rows.map((row) => ({
    alert_id: row.alert_id,
    created_at: row.created_at.toISOString(),
    description: row.description,
  }));
  return Map.groupBy(chunks, (chunk) => chunk.alert_id);
}

function distinct(ids: (number | null)[]): number[] {
  return [...new Set(ids)].filter((id) => id !== null);
}

interface EntityRow extends NotifiedEntity, Record<string, unknown> {
  hollow: boolean;
}

/** The entities with these ids; those that are gone are missing. One query, however many they are. */
async function knownEntities(db: Queryable, ids: number[]): Promise<Map<number, MessageEntity>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<EntityRow>(entities, [ids]);
  return new Map(rows.map(({ hollow, ...shown }) => [shown.id, { shown, hollow }]));
}

/** $1 ids. A hollow entity is named by its CATRN; the namespace is its own, else its source's. */
const entities = `
  SELECT e.id, CASE WHEN e.hollow THEN e.catrn
                    ELSE coalesce(e.internal_name, e.external_name, e.catrn) END AS name,
         s.name AS data_source_name, n.name AS namespace_name, t.name AS type,
         coalesce(o.owners, '[]') AS owners, e.hollow
    FROM data_entity e
    LEFT JOIN entity_type t ON t.id = e.type_id
    LEFT JOIN data_source s ON s.id = e.data_source_id
    LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('owner_name', w.name, 'title_name', t.name)
                      ORDER BY w.name) AS owners
        FROM ownership p
        JOIN owner w ON w.id = p.owner_id
        LEFT JOIN title t ON t.id = p.title_id
       WHERE p.entity_id = e.id) o ON true
   WHERE e.id = ANY ($1::bigint[])`;

/**
 * $1 alerts, $2 most chunks of one, $3 most characters of a chunk, $4 of all chunks of an alert: the newest
 * that there is room for, the newest first.
 */
const newestChunks = `
  SELECT a.id AS alert_id, c.created_at, c.description
    FROM unnest($1::bigint[]) AS a (id)
   CROSS JOIN LATERAL (
     SELECT n.*, sum(length(description)) OVER (ORDER BY created_at DESC, id DESC) AS so_far
       FROM (SELECT id, created_at, left(description, $3) AS description
               FROM alert_chunk WHERE alert_id = a.id
              ORDER BY created_at DESC, id DESC LIMIT $2) n) c
   WHERE c.so_far <= $4
   ORDER BY a.id, c.created_at DESC, c.id DESC`;
