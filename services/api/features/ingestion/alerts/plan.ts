import type { AlertChunk } from "#metadata/catalogue/alerts.ts";
import type { ReceivedAlert } from "./received.ts";

/** An open alert that an earlier call created. */
export interface OpenAlert {
  id: number;
  entityId: number | null;
  fingerprint: string;
  /** Since when it fires, RFC 3339. */
  startsAt: string;
}

/** What is known of the alerts of a call. */
export interface AlertState {
  /** In order of creation. */
  open: OpenAlert[];
  /** The newest start of each fingerprint that there is an alert of, open or not. */
  newest: Map<string, string>;
  /** The newest start of each fingerprint whose end was reported before its start. */
  ended: Map<string, string>;
  /** CATRNs of entities on which nothing is raised: they are deleted, or alerts are halted. */
  quiet: Set<string>;
  /** Whether an open alert says a text already. */
  says: (alertId: number, text: string) => boolean;
}

/** An alert that a call creates; `resolved`: its end is known too. */
export interface AlertInsert {
  catrn: string | null;
  raisedAt: string;
  fingerprint: string | null;
  startsAt: string | null;
  chunks: AlertChunk[];
  resolved: boolean;
}

/** What a call changes about an open alert. */
interface AlertUpdate {
  alert: OpenAlert;
  /** New text beyond what the alert already says. */
  chunks: AlertChunk[];
  resolved: boolean;
  /** Its newest start, if the call moved it. */
  startsAt: string | null;
}

export interface Plan {
  raised: AlertInsert[];
  changed: AlertUpdate[];
  /** Ends of alerts that were not known: start by fingerprint. */
  ended: Map<string, string>;
  /** Number of alerts reported as resolved while none was open. */
  ignored: number;
  /** Number of deliveries of what was known. */
  repeated: number;
  /** Number of alerts that were not raised, because of their entity. */
  halted: number;
}

const emptyPlan = (): Plan => ({
  raised: [],
  changed: [],
  ended: new Map(),
  ignored: 0,
  repeated: 0,
  halted: 0,
});

/** Creates one alert for every alert received, whatever its status. */
export function planEach(received: ReceivedAlert[], quiet: Set<string>): Plan {
  const loud = received.filter((one) => !isQuiet(one, quiet));
  return { ...emptyPlan(), raised: loud.map(raise), halted: received.length - loud.length };
}

/**
 * One alert for each fingerprint that fires, in the order received: its repetitions change nothing but
 * new texts, a later start extends it, its end resolves it. What starts no later than an alert
 * that is over is a late delivery of it. If several are open, the newest is extended and all end.
 */
export function planOnce(received: ReceivedAlert[], known: AlertState, receivedAt: number): Plan {
  const planner = new Planner(known, new Date(receivedAt).toISOString());
  for (const one of received) planner.take(one);
  return planner.finish();
}

class Planner {
  readonly #plan = emptyPlan();
  readonly #openOf = new Map<string, (AlertInsert | AlertUpdate)[]>();

  constructor(private readonly known: AlertState, private readonly at: string) {
    for (const alert of known.open) {
      const changed = { alert, chunks: [], resolved: false, startsAt: null };
      this.#plan.changed.push(changed);
      this.#open(alert.fingerprint, changed);
    }
  }

  take(one: ReceivedAlert): void {
    if (one.resolved) this.#end(one);
    else if (isQuiet(one, this.known.quiet)) this.#plan.halted++;
    else this.#fire(one);
  }

  finish(): Plan {
    const { changed } = this.#plan;
    return {
      ...this.#plan,
      changed: changed.filter((one) => one.resolved || one.chunks.length > 0),
    };
  }

  #open(fingerprint: string, alert: AlertInsert | AlertUpdate): void {
    const same = this.#openOf.get(fingerprint);
    if (same) same.push(alert);
    else this.#openOf.set(fingerprint, [alert]);
  }

  #fire(one: ReceivedAlert): void {
    const { fingerprint, startsAt } = one;
    if (fingerprint === null) return void this.#plan.raised.push(raise(one));
    const open = this.#openOf.get(fingerprint)?.at(-1);
    if (open) return this.#extend(open, one);
    if (startsAt !== null && isKnown(this.known.newest, fingerprint, startsAt)) {
      return void this.#plan.repeated++;
    }
    const over = startsAt !== null && isKnown(this.known.ended, fingerprint, startsAt);
    const raised = { ...raise(one), resolved: over };
    this.#plan.raised.push(raised);
    this.known.newest.set(fingerprint, one.at);
    if (!over) this.#open(fingerprint, raised);
  }

  #extend(open: AlertInsert | AlertUpdate, one: ReceivedAlert): void {
    const since = startOf(open);
    const later = one.startsAt !== null && one.startsAt > since;
    const earlier = one.startsAt !== null && one.startsAt < since;
    if (earlier || (!later && this.#says(open, one.description))) {
      return void this.#plan.repeated++;
    }
    open.chunks.push({ at: this.at, description: one.description });
    if (later) open.startsAt = one.startsAt;
  }

  #says(open: AlertInsert | AlertUpdate, text: string): boolean {
    return open.chunks.some(({ description }) => description === text) ||
      ("alert" in open && this.known.says(open.alert.id, text));
  }

  /** Ends what had started by then: the end of an earlier occurrence may come late. */
  #end({ fingerprint, startsAt, endsAt }: ReceivedAlert): void {
    const open = fingerprint === null ? [] : this.#openOf.get(fingerprint) ?? [];
    const until = endsAt !== null && (startsAt === null || endsAt > startsAt) ? endsAt : startsAt;
    const over = open.filter((alert) => until === null || startOf(alert) <= until);
    for (const alert of over) alert.resolved = true;
    if (over.length > 0) {
      this.#openOf.set(fingerprint!, open.filter((alert) => !over.includes(alert)));
      return;
    }
    this.#plan.ignored++;
    if (fingerprint === null || startsAt === null) return;
    if (isKnown(this.known.newest, fingerprint, startsAt)) return;
    if (isKnown(this.known.ended, fingerprint, startsAt)) return;
    this.known.ended.set(fingerprint, startsAt);
    this.#plan.ended.set(fingerprint, startsAt);
  }
}

const startOf = (open: AlertInsert | AlertUpdate): string =>
  open.startsAt ?? ("alert" in open ? open.alert.startsAt : open.raisedAt);

/** Whether a map of newest starts covers this one. */
function isKnown(newest: Map<string, string>, fingerprint: string, startsAt: string): boolean {
  const known = newest.get(fingerprint);
  return known !== undefined && startsAt <= known;
}

const isQuiet = ({ catrn }: ReceivedAlert, quiet: Set<string>) =>
  catrn !== null && quiet.has(catrn);

function raise({ catrn, at, fingerprint, startsAt, description }: ReceivedAlert): AlertInsert {
  const chunks = [{ at, description }];
  return { catrn, raisedAt: at, fingerprint, startsAt, chunks, resolved: false };
}
