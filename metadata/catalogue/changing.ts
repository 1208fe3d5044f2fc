import type { Actor } from "#contract/actor.ts";
import { type ActivityEvent, recordActivity } from "#metadata/catalogue/activity.ts";
import type { Logger } from "#kit/log.ts";
import { type AuditEvent, logAudit, recordAuditWithin } from "#metadata/catalogue/audit.ts";
import {
  type DocumentKind,
  documentKinds,
  followChange,
} from "#metadata/catalogue/search-documents.ts";
import { type Database, sqlState, type Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";

type WithoutActor<E> = E extends unknown ? Omit<E, "actor"> : never;

/** An event of the activity feed without its actor. */
export type ChangeEvent = WithoutActor<ActivityEvent>;

const appendLineage = statement("change-lineage")`SELECT lineage_append($1)`;

/**
 * Collects what a change must write besides its own statements: activity, lineage, search. All of it
 * is written last, in an order that keeps locks short. `lineage_append` comes at the very end, since
 * it takes a lock that all writers of lineage need.
 */
export class Change {
  readonly #events: ActivityEvent[] = [];
  readonly #audited: AuditEvent[] = [];
  readonly #moved = new Set<number>();
  readonly #searchable = new Map(documentKinds.map((kind) => [kind, new Set<number>()]));

  constructor(readonly tx: Transaction, readonly actor: Actor) {}

  /** Adds an event to the activity feed, in the actor's name. */
  record(...events: ChangeEvent[]): void {
    const { actor } = this;
    for (const event of events) this.#events.push({ ...event, actor } as ActivityEvent);
  }

  /** What is written to the audit log. */
  get audited(): readonly AuditEvent[] {
    return this.#audited;
  }

  /**
   * Keeps for auditors that the actor did this; `subject` in words, without secrets. Needs a context with a log.
   */
  audit(type: AuditEvent["type"], subject: string): void {
    this.#audited.push({ type, actor: this.actor, subject });
  }

  /** Notes that edges of these entities changed; `flush` adds them to the lineage outbox. */
  moved(ids: Iterable<number>): void {
    for (const id of ids) this.#moved.add(id);
  }

  /**
   * Notes that the searchable texts of these entities, or of others that have a document, changed; where they are
   * many, search follows soon after.
   */
  searchable(ids: Iterable<number>, kind: DocumentKind = "entity"): void {
    const noted = this.#searchable.get(kind)!;
    for (const id of ids) noted.add(id);
  }

  /** Writes what was collected. Nothing may be written in the transaction after it. */
  async flush(): Promise<void> {
    const { tx } = this;
    const moved = [...this.#moved];
    for (const [kind, ids] of this.#searchable) await followChange(tx, kind, [...ids]);
    await recordActivity(tx, this.#events);
    await recordAuditWithin(tx, this.#audited);
    if (moved.length > 0) {
      await tx.query(appendLineage, [moved]);
    }
  }
}

/** What `changing` needs; `log` only for changes that are audited. */
interface ChangingContext {
  db: Database;
  log?: Logger;
}

/**
 * The one way in which operations change the catalogue: runs `work` in a transaction, then writes
 * what it collected in the `Change`; what is audited is logged after the commit. Restarts `work` when the
 * transaction lost against another one, so `work` must have no effect outside of it. Throws what `work` throws;
 * for a unique or foreign key violation, throws the error that `rules` gives.
 */
export async function changing<T>(
  { db, log }: ChangingContext,
  actor: Actor,
  work: (change: Change) => Promise<T>,
  rules: Rules = {},
): Promise<T> {
  const { result, audited } = await withRules(
    rules,
    () => retryingTransaction(db, (tx) => changed(tx, actor, work, log)),
  );
  for (const event of audited) if (log) logAudit(log, event);
  return result;
}

/**
 * The same within an existing transaction; nothing may be written in it after this call, and nothing be audited.
 */
export async function changingWithin<T>(
  tx: Transaction,
  actor: Actor,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return (await changed(tx, actor, work)).result;
}

async function changed<T>(
  tx: Transaction,
  actor: Actor,
  work: (change: Change) => Promise<T>,
  log?: Logger,
) {
  const change = new Change(tx, actor);
  const result = await work(change);
  const { audited } = change;
  if (audited.length > 0 && !log) throw new Error("An audited change needs a context with a log");
  await change.flush();
  return { result, audited };
}

/** The errors for a change that violates a unique or foreign key constraint. */
interface Rules {
  unique?: Rule;
  foreignKey?: Rule;
}

/** The transaction has ended when it is called with an error. */
type Rule = () => Error | Promise<Error>;

/** Runs `work`; throws the error of `rules` instead of the violation it stands for. */
async function withRules<T>(rules: Rules, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const broken = new Map([["23505", rules.unique], ["23503", rules.foreignKey]]);
    throw await broken.get(sqlState(error) ?? "")?.() ?? error;
  }
}
