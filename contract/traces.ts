import { z } from "zod";
import { boundedArray } from "#contract/bounded.ts";
import type { JsonLimits } from "#contract/ingestion/inspect.ts";
import { StorableText } from "#contract/text.ts";

/** Headers of records of `traces.spans`. */
export const spansHeaders = {
  /** `traces.spans`, or `traces.tick` for a record that only carries the time. */
  type: "type",
  /** Major version of the format, `1`. */
  version: "version",
} as const;

export const spansType = "traces.spans";
/** Type of a record without facts: it advances the time of a partition where nothing else happens. */
export const tickType = "traces.tick";
export const spansVersion = "1";

/** Maximum number of facts in one record, which bounds the edges that one record can change. */
export const maxFactsPerRecord = 5_000;
/** Longest text of a record, and longest name or namespace of a service, in characters. */
export const maxFactText = 2_048;
export const maxServiceText = 600;
/** Most data targets of one span; more are ignored. */
export const maxTargetsPerSpan = 8;

/** A service as its OpenTelemetry resource names it; `version` is not part of its identity. */
export interface ServiceIdentity {
  namespace: string | null;
  name: string;
  version: string | null;
}

/** Data that a span accesses: a table, collection or bucket of a database, or a topic or queue. */
export interface DataTarget {
  kind: "database" | "topic";
  /** Name from the semantic conventions: `postgresql`, `mongodb`, `kafka`, … */
  system: string;
  /** `host` or `host:port`. */
  address: string | null;
  database: string | null;
  /** Table (with its schema if the statement names it), collection, bucket, topic or queue. */
  target: string | null;
  access: "read" | "write";
}

/** Kinds of facts; the wire code is the position. INTERNAL spans that access data count as clients. */
export const factKinds = ["client", "server", "producer", "consumer"] as const;
export type FactKind = (typeof factKinds)[number];

/** Everything that is stored of a span. */
export interface SpanFact {
  /** 32 lower-case hex digits; a span id has 16. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  kind: FactKind;
  service: ServiceIdentity;
  durationMicros: number;
  error: boolean;
  /** For a call: its templated operation, such as `GET /orders/{id}`. */
  operation: string | null;
  /** For a client call: the other side as the client knows it, `host` or `host:port`. */
  peer: string | null;
  /** A span with targets needs no matching span on the other side. */
  targets: DataTarget[];
  /** For a consumer that does not name its source: the span that produced the message. */
  link: { traceId: string; spanId: string } | null;
}

const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
const serviceText = StorableText.max(maxServiceText);
const index = z.int().min(0);
/** An index; -1 means none. */
const indexOrNone = z.int().min(-1);

/** Maximum number of entries of `strings` and of `targets`. */
const maxTargets = maxFactsPerRecord * maxTargetsPerSpan;
const maxStrings = maxFactsPerRecord * 2 + 4 * maxTargets;

/** A list with at most one entry for each fact. */
const column = <T extends z.core.SomeType>(entry: T) => boundedArray(entry, maxFactsPerRecord);

/**
 * Value of a record, as JSON. Repeated values are stored once, in tables. A fact is one row across
 * the columns from `trace` to `peer`, which have equal lengths.
 */
export const SpansRecord = z.object({
  strings: boundedArray(StorableText.max(maxFactText), maxStrings),
  /** Namespace, name, version. */
  services: column(z.tuple([serviceText.nullable(), serviceText.min(1), serviceText.nullable()])),
  traces: column(traceId),
  /** 0 database or 1 topic; system, address, database, target (in `strings`); 0 read or 1 write. */
  targets: boundedArray(
    z.tuple([z.literal([0, 1]), index, indexOrNone, indexOrNone, indexOrNone, z.literal([0, 1])]),
    maxTargets,
  ),
  trace: column(index),
  span: column(spanId),
  /** Empty when the span has no parent. */
  parent: column(z.union([spanId, z.literal("")])),
  /** Index in `factKinds`, plus 4 when the span failed. */
  kind: column(z.int().min(0).max(7)),
  service: column(index),
  micros: column(z.int().min(0)),
  /** Index in `strings`. */
  operation: column(indexOrNone),
  peer: column(indexOrNone),
  /** Index of the fact, then the indexes of its targets. */
  data: column(boundedArray(index, 1 + maxTargetsPerSpan).min(2)),
  /** Index of the fact, then trace id and span id of the span that it follows. */
  links: column(z.tuple([index, traceId, spanId])),
});
export type SpansRecord = z.infer<typeof SpansRecord>;

const columns = Object.keys(SpansRecord.shape).length;

/** The most that a record within its list bounds can contain; checked before the record is parsed. */
export const spansRecordLimits: JsonLimits = {
  containers: 1 + columns + maxTargets + 3 * maxFactsPerRecord,
  members: columns,
  // Array sizes: services and links 3, data 1 + maxTargetsPerSpan, targets 6; the other columns are
  // flat.
  elements: maxStrings + 6 * maxTargets + (columns + 6 + 1 + maxTargetsPerSpan) * maxFactsPerRecord,
};
