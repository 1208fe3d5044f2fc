import type pg from "pg";
import { type Clock, systemClock } from "#kit/clock.ts";
import { type AppError, unavailable } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Gauge, Metrics } from "#kit/metrics.ts";
import {
  type CommitMark,
  encodeMark,
  isUnaccepted,
  missingCommits,
  parseLsn,
  type ServerState,
  type Timeline,
} from "#metadata/postgres/history/compare.ts";
import * as sql from "#metadata/postgres/history/server.ts";
import { readServer, type ServerSession } from "#metadata/postgres/history/server.ts";

/** Why the metadata store is refused. */
export interface Refusal {
  state: "commits_missing" | "comparing" | "in_recovery";
  error: AppError;
}

interface HistoryGuardOptions {
  /** Who notices, for the operator. */
  holder: string;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  /** Milliseconds in which every process compares what it knows with a new timeline, before anything uses it. */
  comparingMs?: number;
}

/** Longer than any process pauses between two statements. */
const defaultComparingMs = 10_000;

/** Milliseconds between two looks at a server that is refused. */
const retryMs = 1_000;

/** Newest commits of this process that are compared; more than it has connections. */
const maxMarks = 64;
/** Marks from elsewhere: one for each partition of a consumer group. */
const maxRecalled = 1_000;

export interface CommitReport {
  xid: string | null;
  lsn: string;
  timeline: string;
}

const unsupported = new Set(["42501", "42883", "0A000"]);

/** Whether a server does not have the functions by which timelines are read, or does not allow them. */
export function isUnsupported(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && unsupported.has(code);
}

/**
 * Notices that the server at the address of the metadata lacks commits that this process knows of, as a replica does that
 * was promoted before it had received them, and refuses such a server. Every new connection is compared before its use.
 */
export class HistoryGuard {
  readonly #clock: Clock;
  readonly #gauge: Gauge;
  readonly #marks: CommitMark[] = [];
  #recalled: CommitMark[] = [];
  /** The timeline that a connection was compared with. */
  readonly #compared = new WeakMap<object, { epoch: number; system: string; row: Timeline }>();
  /** Grows when earlier connections may lead to another server. */
  #epoch = 0;
  #current: Timeline | undefined;
  #refusal: (Refusal & { nextLook: number }) | undefined;
  #unsupported = false;

  constructor(private readonly options: HistoryGuardOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#gauge = options.metrics.gauge(
      "tributary_metadata_commits_missing",
      "1 while PostgreSQL is refused because it lacks commits that were acknowledged",
    );
    this.#gauge.set({}, 0);
  }

  /** Why the server was refused at the last look. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Id of the timeline that serves, as far as this process knows. */
  get history(): string | undefined {
    return this.#current?.id;
  }

  /** The newest commit that this process knows of, as text; undefined when there is none. */
  mark(): string | undefined {
    const newest = this.#marks.at(-1) ?? this.#recalled.at(-1);
    return newest && encodeMark(newest);
  }

  /** Commits that others noted outside of PostgreSQL: compared with the server before it is used again. */
  recall(marks: readonly CommitMark[]): void {
    if (marks.length === 0) return;
    this.#recalled = [...this.#recalled, ...marks]
      .sort((a, b) => a.at - b.at)
      .slice(-maxRecalled);
    this.#epoch++;
  }

  /** Throws while the server is refused, but once a second, when the caller may look again. */
  admit(): void {
    if (!this.#refusal) return;
    const now = this.#clock.now();
    if (now < this.#refusal.nextLook) throw this.#refusal.error;
    this.#refusal.nextLook = now + retryMs;
  }

  /** Whether a connection may lead to a server that no longer serves. */
  isStale(client: object): boolean {
    return !this.#unsupported && this.#compared.get(client)?.epoch !== this.#epoch;
  }

  /** Whether commits of this connection are noted. */
  isNoting(client: object): boolean {
    return this.#compared.has(client);
  }

  /** Notes a commit that was acknowledged on this connection. */
  committed(client: object, { xid, lsn, timeline }: CommitReport): void {
    const compared = this.#compared.get(client);
    if (!compared || xid === null) return;
    if (parseInt(timeline, 16) !== compared.row.timeline) {
      // Something between us and the server has exchanged the server.
      this.#compared.delete(client);
      return;
    }
    const { system, row } = compared;
    this.#marks.push({ system, history: row.id, xid, lsn, at: this.#clock.now() });
    if (this.#marks.length > maxMarks) this.#marks.splice(0, this.#marks.length - maxMarks);
  }

  /** Compares the server of a new connection with what this process knows; throws a 503 to refuse it. */
  async verify(client: ServerSession & object): Promise<void> {
    if (this.#unsupported) return;
    const epoch = this.#epoch;
    // What is committed while the server is looked at may be newer than what it shows.
    const marks = [...this.#recalled, ...this.#marks];
    try {
      const server = await this.#look(client, marks.map(({ xid }) => xid));
      const row = await this.#compare(client, server, marks);
      // Otherwise it is compared again, with what has been learned meanwhile.
      if (epoch === this.#epoch) this.#accept(client, server.system, row);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      this.#unsupported = true;
      this.options.log.warn("lost commits cannot be noticed on this PostgreSQL", { error });
    }
  }

  async #look(client: ServerSession, xids: string[]): Promise<ServerState> {
    const seen = await readServer(client, xids);
    if (seen === "recovering") {
      throw this.#refuse(
        "in_recovery",
        "PostgreSQL is a replica in recovery and accepts no changes",
      );
    }
    if (seen.timelines.some(({ timeline }) => timeline === seen.timeline)) return seen;
    await client.query(sql.noteTimeline, [
      seen.system,
      seen.timeline,
      seen.began,
      seen.lastCommitAt,
    ]);
    const again = await readServer(client, xids);
    if (again === "recovering") throw unavailable("PostgreSQL went into recovery");
    const { began: beganAt, lastCommitAt } = seen;
    const isFirst = again.timelines.length === 1;
    const fields = { timeline: again.timeline, beganAt, lastCommitAt };
    if (!isFirst) this.options.log.warn("PostgreSQL serves a new timeline", fields);
    return again;
  }

  async #compare(
    client: ServerSession,
    server: ServerState,
    marks: CommitMark[],
  ): Promise<Timeline> {
    const row = server.timelines.find(({ timeline }) => timeline === server.timeline)!;
    const missing = missingCommits(marks, server);
    if (missing.length > 0) {
      const until = Math.max(...missing.map(({ at }) => at));
      await client.query(sql.noteMissing, [row.id, this.options.holder, until, missing.length]);
      const found = { missedUntil: until, missedCommits: missing.length };
      throw this.#refuse("commits_missing", missingText({ ...row, ...found }), {
        ...row,
        ...found,
      });
    }
    if (isUnaccepted(row)) throw this.#refuse("commits_missing", missingText(row), { ...row });
    const isFirst = server.timelines[0] === row;
    const { comparingMs = defaultComparingMs } = this.options;
    if (!isFirst && row.acceptedAt === null && row.age < comparingMs) {
      throw this.#refuse(
        "comparing",
        `PostgreSQL serves a new timeline (${row.timeline}), which every process compares with what it ` +
          `knows; it is used after ${comparingMs / 1_000} s`,
      );
    }
    return row;
  }

  #accept(client: object, system: string, row: Timeline): void {
    if (this.#current && this.#current.id !== row.id) this.#epoch++;
    this.#current = row;
    if (this.#refusal) {
      this.options.log.info("PostgreSQL is used again", { timeline: row.timeline });
      if (this.#refusal.state === "commits_missing" && row.acceptedAt !== null) {
        this.#marks.length = 0;
      }
    }
    this.#refusal = undefined;
    this.#gauge.set({}, 0);
    // All were found; the newest of this system stays as what `mark` says until this process has committed something.
    this.#recalled = this.#recalled.filter((mark) => mark.system === system).sort(byPosition)
      .slice(-1);
    this.#compared.set(client, { epoch: this.#epoch, system, row });
  }

  #refuse(state: Refusal["state"], text: string, fields: Record<string, unknown> = {}): AppError {
    const error = unavailable(text, 5);
    if (this.#refusal?.state !== state) {
      const level = state === "commits_missing" ? "error" : "warn";
      this.options.log[level]("PostgreSQL is refused", { state, cause: text, ...fields });
      // Idle connections may lead to the server that served before.
      this.#epoch++;
    }
    this.#refusal = { state, error, nextLook: this.#clock.now() + retryMs };
    this.#gauge.set({}, state === "commits_missing" ? 1 : 0);
    return error;
  }
}

function byPosition(a: CommitMark, b: CommitMark): number {
  return Number(parseLsn(a.lsn) - parseLsn(b.lsn));
}

/** What is missing, and what to do about it. */
export function missingText(row: Timeline): string {
  const time = (at: number | null) => at === null ? "an unknown time" : new Date(at).toISOString();
  return `PostgreSQL serves an older copy of the metadata (timeline ${row.timeline}): commits that were acknowledged ` +
    `between ${time(row.lastCommitAt)} and ${
      time(row.missedUntil)
    } are missing. Put the former primary back, or ` +
    "accept the loss with `npm run failover -- accept`";
}

/** Compares each new connection of a pool (its option `verify`). */
export function verifier(guard: HistoryGuard) {
  return (client: pg.ClientBase, done: (error?: Error) => void): void => {
    guard.verify(client).then(() => done(), (error) => done(error as Error));
  };
}
