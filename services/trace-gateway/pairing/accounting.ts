/**
 * Facts of spans by what became of them. At every checkpoint
 * `read = 2 × paired + standalone + expired + duplicate + irrelevant + waiting`.
 */
export interface SpanAccounting {
  read: number;
  /** Calls with both halves. */
  paired: number;
  /** Facts that make edges without a partner, a second callee of one client included. */
  standalone: number;
  /** Halves whose other one did not come in time; they still make what edge they can. */
  expired: number;
  /** Spans that an exporter sent again while they were remembered. */
  duplicate: number;
  /** Facts that make no edge at all. */
  irrelevant: number;
  waiting: number;
}

export const accounts = [
  "read",
  "paired",
  "standalone",
  "expired",
  "duplicate",
  "irrelevant",
  "waiting",
] as const satisfies (keyof SpanAccounting)[];

export function noAccounting(): SpanAccounting {
  return {
    read: 0,
    paired: 0,
    standalone: 0,
    expired: 0,
    duplicate: 0,
    irrelevant: 0,
    waiting: 0,
  };
}
