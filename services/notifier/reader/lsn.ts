/** A place in the write-ahead log as a number; PostgreSQL writes it `16/B374D848`. */
export type Lsn = bigint;

export function parseLsn(text: string): Lsn {
  const [upper = "0", lower = "0"] = text.split("/");
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}

export function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();
}
