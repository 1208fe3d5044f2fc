import type { AlertMessage } from "#contract/notifications.ts";
import type { Context } from "#platform/context.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { GraphDown, reachOfEach } from "#services/notifier/content/reach.ts";
import { addToUnsent, type Route } from "#services/notifier/delivery/store.ts";
import { messageBounds } from "#services/notifier/content/message-builder.ts";
import {
  type Decision,
  immediately,
  type MessageDraft,
  type Policy,
  type UpstreamByChange,
} from "./decision.ts";
import { inhibited, opens, silenced } from "./suppression.ts";

interface PoliciesOptions extends Pick<Context, "db" | "graph" | "log"> {
  routes: Route[];
  /** Levels upstream whose alerts hold back a change; 0: none do. */
  levels: number;
  /** Milliseconds that a message waits for further changes on its entity; 0: none. */
  groupWaitMs: number;
  /** Budgets of the walk upstream. */
  maxNodes: number;
  timeoutMs: number;
}

/** Milliseconds that the walk upstream may take. */
const walkMs = 2_000;

export function policiesOf(context: Context, routes: Route[]): Policies {
  const { db, graph, config, log } = context;
  return new Policies({
    db,
    graph,
    routes,
    log: log.with({ service: "notifier" }),
    levels: config.notifications["inhibit-levels"],
    groupWaitMs: config.notifications["group-wait"],
    maxNodes: config.lineage["max-nodes"],
    timeoutMs: Math.min(walkMs, config.lineage.timeout),
  });
}

/**
 * What is decided of a change before it is announced, in this order: silence, inhibition by lineage,
 * grouping. The rate of a channel comes last, at its sender.
 */
export class Policies implements Policy {
  readonly batchSize: number;

  constructor(private readonly options: PoliciesOptions) {
    const { levels, groupWaitMs } = options;
    // What is decided of one change may depend on the one before it.
    this.batchSize = levels > 0 || groupWaitMs > 0 ? 1 : 100;
  }

  /** Fails open: without an answer of the graph nothing is upstream. */
  async prepare(changes: MessageDraft[]): Promise<UpstreamByChange> {
    const { db, graph, levels, maxNodes, timeoutMs, log } = this.options;
    const opening = changes.filter(({ event }) => opens.has(event.event_type));
    const ids = opening.map(({ event }) => event.entity_id).filter((id) => id !== null);
    if (levels === 0 || ids.length === 0) return new Map();
    const options = { direction: "upstream" as const, depth: levels, maxNodes, timeoutMs };
    try {
      const reached = await reachOfEach(graph, db, [...new Set(ids)], options);
      return new Map(
        opening.map(({ event }) => [event.id, reached.get(event.entity_id ?? 0)?.ids ?? []]),
      );
    } catch (error) {
      if (!(error instanceof GraphDown)) throw error;
      log.warn("alerts are announced without checking for upstream alerts", { error: error.cause });
      return new Map();
    }
  }

  async decide(
    tx: Transaction,
    changes: MessageDraft[],
    prepared: UpstreamByChange,
  ): Promise<Decision[]> {
    const silences = await silenced(tx, changes.map(({ event }) => event));
    const decisions: Decision[] = [];
    for (const change of changes) {
      const { id } = change.event;
      decisions.push(silences.get(id) ?? await this.#more(tx, change, prepared.get(id) ?? []));
    }
    return decisions;
  }

  async #more(tx: Transaction, change: MessageDraft, upstream: number[]): Promise<Decision> {
    const { levels, groupWaitMs, routes } = this.options;
    const waitMs = groupWaitMs;
    const delayed = levels > 0 ? await inhibited(tx, change, upstream, { routes, waitMs }) : null;
    if (delayed) return delayed;
    return groupWaitMs > 0 ? await grouped(tx, change, groupWaitMs) ?? immediately : immediately;
  }
}

/** $1 entity: two changes on it do not both become the first, until the end of the transaction. */
const lockEntitySql = `
  SELECT pg_advisory_xact_lock(hashtextextended('notification of ' || $1::bigint, 0))`;

/**
 * $1 entity, $2 most changes of one message, $3 milliseconds that a message waits for more: the one that
 * waits now, if there is one.
 */
const waitingSql = `
  SELECT n.event_id FROM notification n
   WHERE n.entity_id = $1 AND n.kind = 'event' AND n.state = 'announced'
     AND n.created_at > now() - make_interval(secs => $3::float8 / 1000)
     AND json_array_length(n.message -> 'grouped_events') < $2
     AND EXISTS (SELECT FROM delivery d
                  WHERE d.event_id = n.event_id AND d.kind = n.kind AND d.state = 'pending'
                    AND d.attempts = 0 AND d.due_at > now())
   ORDER BY n.created_at DESC, n.event_id DESC LIMIT 1`;

/** Maximum number of further changes in one message. */
const maxGrouped = 200;

/**
 * Adds a change to the message that waits for further changes on its entity, or lets it be the one
 * that waits. Null for a change of no entity, which has nothing in common with others.
 */
async function grouped(
  tx: Transaction,
  { event, message }: MessageDraft,
  waitMs: number,
): Promise<Decision | null> {
  if (event.entity_id === null) return null;
  await tx.query(lockEntitySql, [event.entity_id]);
  const waiting = await tx.query<{ event_id: number }>(waitingSql, [
    event.entity_id,
    maxGrouped,
    waitMs,
  ]);
  const candidates = waiting.map((row) => ({ eventId: row.event_id, kind: "event" as const }));
  const into = await addToUnsent(tx, candidates, (first) => withChange(first, { event, message }));
  if (into) return { state: "merged", cause: `announced with change ${into.eventId}`, into };
  return { state: "announced", waitMs, cause: `waits ${waitMs} ms for more on the entity` };
}

function withChange(first: AlertMessage, { event, message }: MessageDraft): AlertMessage {
  const { alert_id, alert_type, event_type, event_at } = event;
  const chunk = (said: AlertMessage["alert_chunks"][number]) =>
    `${said.alert_id} ${said.created_at} ${said.description}`;
  const said = new Set(first.alert_chunks.map(chunk));
  const more = message.alert_chunks.filter((other) => !said.has(chunk(other)));
  return {
    ...first,
    alert_chunks: [...more, ...first.alert_chunks].slice(0, messageBounds.chunks),
    consequences: [...first.consequences, ...message.consequences],
    grouped_events: [...first.grouped_events, { alert_id, alert_type, event_type, event_at }],
  };
}
