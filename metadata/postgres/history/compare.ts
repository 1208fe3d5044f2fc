import { z } from "zod";

/** A timeline that has served the database; times in milliseconds since the epoch. */
export interface Timeline {
  id: string;
  timeline: number;
  /** Where the former timeline ended. */
  beganAt: string;
  /** Commit time of the last transaction that the former timeline handed over; null: unknown. */
  lastCommitAt: number | null;
  /** Milliseconds since it was first seen, by the clock of the server. */
  age: number;
  missedAt: number | null;
  missedUntil: number | null;
  missedCommits: number | null;
  acceptedAt: number | null;
}

/** Status of a transaction: `future` when the server has not come to its id; null when it is too old to be known. */
export type XidStatus = "committed" | "aborted" | "in progress" | "future" | null;

/** A primary server, as one statement saw it. */
export interface ServerState {
  system: string;
  timeline: number;
  /** Current position of its log. */
  lsn: string;
  /** The timelines of this system that the database knows, in their order. */
  timelines: Timeline[];
  statuses: ReadonlyMap<string, XidStatus>;
}

/**
 * The marks whose commits the server lacks. Exact: a commit is after the position of its mark, so one at or after the end of
 * its timeline is missing; the id of any other transaction was on the log that was handed over, so it was not given again,
 * and the server knows whether it committed. Marks of another system cannot be compared.
 */
export function missingCommits(marks: readonly CommitMark[], server: ServerState): CommitMark[] {
  return marks.filter((mark) => mark.system === server.system && isMissing(mark, server));
}

function isMissing(mark: CommitMark, { timelines, timeline, lsn, statuses }: ServerState): boolean {
  const acceptedAt = Math.max(...timelines.map((one) => one.acceptedAt ?? 0), 0);
  if (mark.at <= acceptedAt) return false;
  const own = timelines.find(({ id }) => id === mark.history);
  // Committed on a timeline that this server never had.
  if (!own || own.timeline > timeline) return true;
  const next = timelines.find((one) => one.timeline > own.timeline);
  const position = parseLsn(mark.lsn);
  if (position > parseLsn(lsn) || (next && position >= parseLsn(next.beganAt))) return true;
  const status = statuses.get(mark.xid) ?? null;
  return status !== "committed" && status !== null;
}

/** Whether commits were missed on the timeline, which no operator has accepted yet. */
export function isUnaccepted({ missedAt, acceptedAt }: Timeline): boolean {
  return missedAt !== null && (acceptedAt === null || acceptedAt < missedAt);
}

/** A transaction that is known to be committed, and where the server's log was just before that. */
export interface CommitMark {
  /** System identifier of the server. */
  system: string;
  /** Id of the row of `server_history` of the timeline that it was committed on. */
  history: string;
  xid: string;
  lsn: string;
  /** When the commit was acknowledged: milliseconds since the epoch, by the clock of the process. */
  at: number;
}

const version = "1";

const Parts = z.tuple([
  z.literal(version),
  z.string().regex(/^\d{1,20}$/),
  z.uuid(),
  z.string().regex(/^\d{1,20}$/),
  z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/),
  z.string().regex(/^\d{1,15}$/).transform(Number),
]);

/** A mark as text of less than 120 characters, to be stored outside of PostgreSQL. */
export function encodeMark({ system, history, xid, lsn, at }: CommitMark): string {
  return [version, system, history, xid, lsn, at].join(" ");
}

/** The mark of a text; undefined for any other text. */
export function decodeMark(text: string): CommitMark | undefined {
  const parsed = Parts.safeParse(text.split(" "));
  if (!parsed.success) return undefined;
  const [, system, history, xid, lsn, at] = parsed.data;
  return { system, history, xid, lsn, at };
}

/** A position of the server's log as a number that can be compared. */
export function parseLsn(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
