import { own } from "#kit/own.ts";

/**
 * A join of two values of one kind: commutative, associative, and idempotent. State that is only ever
 * joined is a pure function of the set of what was joined, whatever the order, chunks or repetitions.
 */
export type Join<T> = (a: T, b: T) => T;

/** A value with the time it is of and the hash that decides between two of one time. */
export interface TimedValue<V> {
  v: V;
  /** Milliseconds since the epoch. */
  t: number;
  h: string;
}

/** The newest of two values; of equal times that with the greater hash. */
export function newest<D extends { t: number; h: string }>(a: D, b: D): D {
  if (a.t !== b.t) return a.t > b.t ? a : b;
  return a.h >= b.h ? a : b;
}

/** The lesser of two numbers or texts. */
export function min<T extends number | string>(a: T, b: T): T {
  return a <= b ? a : b;
}

/** The greater of two numbers or texts. */
export function greatest<T extends number | string>(a: T, b: T): T {
  return a >= b ? a : b;
}

/** A join of values that may be missing: what is there wins over nothing. */
export function orNone<T>(join: Join<T>): (a?: T | null, b?: T | null) => T | null {
  return (a = null, b = null) => a === null ? b : b === null ? a : join(a, b);
}

/** A join of objects, member by member. */
export function members<T extends object>(joins: { [K in keyof T]-?: Join<T[K]> }): Join<T> {
  const names = Object.keys(joins) as (keyof T)[];
  return (a, b) => {
    const joined = { ...a };
    for (const name of names) joined[name] = joins[name](a[name], b[name]);
    return joined;
  };
}

/** A join of objects whose members may each be missing. */
export function named<N extends string, T>(join: Join<T>): Join<Partial<Record<N, T>>> {
  return (a, b) => {
    const joined = Object.entries<T>(b as Record<string, T>).map(([name, other]) => {
      const existing = own<T>(a as Record<string, T>, name);
      return [name, existing === undefined ? other : join(existing, other)];
    });
    return { ...a, ...Object.fromEntries(joined) };
  };
}

interface ListOptions<T> {
  key: (entry: T) => string;
  join: Join<T>;
  /** Negative when `a` is to be stored rather than `b`; entries with different keys never compare equal. */
  order: (a: T, b: T) => number;
  max: number;
}

/** A join of lists of keyed entries: the first `max` of the union, in `order`. */
export function keyed<T>({ key, join, order, max }: ListOptions<T>): Join<T[]> {
  return (a, b) => {
    if (b.length === 0) return a;
    const byKey = new Map(a.map((entry) => [key(entry), entry]));
    for (const entry of b) {
      const existing = byKey.get(key(entry));
      byKey.set(key(entry), existing === undefined ? entry : join(existing, entry));
    }
    return [...byKey.values()].sort(order).slice(0, max);
  };
}

/** Joins `value` into the entry of a map. */
export function joinInto<K, V>(map: Map<K, V>, key: K, value: V, join: Join<V>): void {
  const existing = map.get(key);
  map.set(key, existing === undefined ? value : join(existing, value));
}
