import type { LineageGraph } from "#graph/port.ts";
import type { Logger } from "#kit/log.ts";
import type { Context } from "#platform/context.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { GraphDown, reachOfEach } from "#services/notifier/content/reach.ts";
import type { Route } from "#services/notifier/delivery/store.ts";
import {
  type Decision,
  immediately,
  type MessageDraft,
  type Policy,
  type UpstreamByChange,
} from "./decision.ts";
import { grouped } from "./grouping.ts";
import { inhibited, opens } from "./inhibition.ts";
import { silenced } from "./silences.ts";

export interface PoliciesOptions {
  db: Database;
  graph: LineageGraph;
  routes: Route[];
  log: Logger;
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

/** The configured policies. */
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
