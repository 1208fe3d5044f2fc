import { z } from "zod";
import { boundedArray } from "#contract/bounded.ts";
import type { JsonLimits } from "#contract/ingestion/inspect.ts";
import { StorableText } from "#contract/text.ts";

/** Headers of records of `traces.spans`. */
export const spansHeaders = {
  /** `traces.spans`, or `traces.tick` for a record that only tells the time. */
  type: "type",
  /** Major version of the format, `1`. */
  version: "version",
} as const;

export const spansType = "traces.spans";
/** A record without facts: it moves the time of a partition on in which nothing else happens. */
export const tickType = "traces.tick";
export const spansVersion = "1";

/** Most facts of one record, so that what one record means for edges is bounded. */
export const maxFactsPerRecord = 5_000;
/** Longest text of a record, and longest name or namespace of a service, characters. */
export const maxFactText = 2_048;
export const maxServiceText = 600;
/** Most tables that one span may touch; more are left out. */
export const maxTargetsPerSpan = 8;

/** A service as its resource names it; version is told of it, and no part of its identity. */
export interface ServiceIdentity {
  namespace: string | null;
  name: string;
  version: string | null;
}

/** Data that a span touches: a table, collection or bucket of a database, or a topic or queue. */
export interface DataTarget {
  kind: "database" | "topic";
  /** As conventions name it: `postgresql`, `mongodb`, `kafka`, … */
  system: string;
  /** `host` or `host:port`. */
  address: string | null;
  database: string | null;
  /** Table (with its schema where the statement has it), collection, bucket, topic or queue. */
  target: string | null;
  access: "read" | "write";
}

/** Kinds of facts by their code on the wire; INTERNAL spans that touch data count as clients. */
export const factKinds = ["client", "server", "producer", "consumer"] as const;
export type FactKind = (typeof factKinds)[number];

/** All that is kept of a span. */
export interface SpanFact {
  /** 32 and 16 lower-case hex digits. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  kind: FactKind;
  service: ServiceIdentity;
  durationMicros: number;
  error: boolean;
  /** Of a call: its templated operation, such as `GET /orders/{id}`. */
  operation: string | null;
  /** Of a call by a client: the other side as the client knows it, `host` or `host:port`. */
  peer: string | null;
  /** With any of these the span needs no partner. */
  targets: DataTarget[];
  /** Of a consumer that does not tell what it consumes: the span that produced it. */
  link: { traceId: string; spanId: string } | null;
}

const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
const serviceText = StorableText.max(maxServiceText);
const index = z.int().min(0);
/** -1: none. */
const indexOrNone = z.int().min(-1);

/** Most entries of `strings` and of `targets`. */
const maxTargets = maxFactsPerRecord * maxTargetsPerSpan;
const maxStrings = maxFactsPerRecord * 2 + 4 * maxTargets;

/** A list with at most an entry for each fact. */
const column = <T extends z.core.SomeType>(entry: T) => boundedArray(entry, maxFactsPerRecord);

/**
 * Value of a record, as JSON: what repeats stands once in a table, and a fact is one place in each of
 * the columns from `trace` to `peer`, which are equally long.
 */
export const SpansRecord = z.object({
  strings: boundedArray(StorableText.max(maxFactText), maxStrings),
  /** Namespace, name, version. */
  services: column(z.tuple([serviceText.nullable(), serviceText.min(1), serviceText.nullable()])),
  traces: column(traceId),
  /** 0 database or 1 topic; system, address, database, target in `strings`; 0 read or 1 write. */
  targets: boundedArray(
    z.tuple([z.literal([0, 1]), index, indexOrNone, indexOrNone, indexOrNone, z.literal([0, 1])]),
    maxTargets,
  ),
  trace: column(index),
  span: column(spanId),
  /** Empty: none. */
  parent: column(z.union([spanId, z.literal("")])),
  /** Place in `factKinds`, and 4 more when the span failed. */
  kind: column(z.int().min(0).max(7)),
  service: column(index),
  micros: column(z.int().min(0)),
  /** In `strings`. */
  operation: column(indexOrNone),
  peer: column(indexOrNone),
  /** Number of the fact, then those of its targets. */
  data: column(boundedArray(index, 1 + maxTargetsPerSpan).min(2)),
  /** Number of the fact, trace and span that it follows. */
  links: column(z.tuple([index, traceId, spanId])),
});
export type SpansRecord = z.infer<typeof SpansRecord>;

const columns = Object.keys(SpansRecord.shape).length;

/** What a record within the bounds of its lists holds at most; asked before it is parsed. */
export const spansRecordLimits: JsonLimits = {
  containers: 1 + columns + maxTargets + 3 * maxFactsPerRecord,
  members: columns,
  // Of services and links 3, of data 1 + maxTargetsPerSpan, of targets 6; the other columns are flat.
  elements: maxStrings + 6 * maxTargets + (columns + 6 + 1 + maxTargetsPerSpan) * maxFactsPerRecord,
};
