import { z } from "zod";

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
export function lsnOf(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
