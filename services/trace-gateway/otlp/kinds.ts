import type { SpanKind } from "../model.ts";

/** Kinds by their number on the wire. */
export const kinds: SpanKind[] = [
  "unspecified",
  "internal",
  "server",
  "client",
  "producer",
  "consumer",
];
