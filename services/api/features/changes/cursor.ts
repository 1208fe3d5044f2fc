/** A cursor in the changes, in the order in which they are sent: after everything up to transaction and number. */
export interface Cursor {
  /** Of 64 bits. */
  xid: bigint;
  id: number;
}

const form = /^(\d{1,19})-(\d{1,16})$/;

/** The cursor that an event's id is; undefined for any other text. */
export function cursorOf(text: string): Cursor | undefined {
  const [, xid, id] = (text.length <= 40 ? form.exec(text) : null) ?? [];
  if (xid === undefined || id === undefined || !Number.isSafeInteger(Number(id))) return undefined;
  return BigInt(xid) < 2n ** 63n ? { xid: BigInt(xid), id: Number(id) } : undefined;
}

/** A cursor as the id of an event. */
export const textOf = ({ xid, id }: Cursor): string => `${xid}-${id}`;

export function isAfter(one: Cursor, other: Cursor): boolean {
  return one.xid === other.xid ? one.id > other.id : one.xid > other.xid;
}
