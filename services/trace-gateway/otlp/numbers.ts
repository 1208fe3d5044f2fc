/** A 64-bit integer as protobufjs gives it: a number, or two halves where its helper is installed. */
export type Int64 = number | { low: number; high: number } | null | undefined;

/** A signed integer: a number while it is exact, else its digits. */
export function integerOf(wide: Int64): number | string {
  if (wide === null || wide === undefined) return 0;
  if (typeof wide === "number") return wide;
  const near = wide.high * 4_294_967_296 + (wide.low >>> 0);
  if (Number.isSafeInteger(near)) return near;
  return ((BigInt(wide.high) << 32n) | BigInt(wide.low >>> 0)).toString();
}
