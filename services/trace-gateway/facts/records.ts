import { inspectJson } from "#contract/ingestion/inspect.ts";
import { maxSpansRecordBytes } from "#contract/topics.ts";
import {
  type DataTarget,
  factKinds,
  maxFactsPerRecord,
  type ServiceIdentity,
  type SpanFact,
  spansHeaders,
  SpansRecord,
  spansRecordLimits,
  spansType,
  spansVersion,
  tickType,
} from "#contract/traces.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { partitionOf } from "#eventlog/records.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";

const encoder = new TextEncoder();
/** Of the topic's limit this much is left for headers. */
const headroom = 1_024;

/**
 * Packs facts into one record a partition, or several where one would be too large. All facts of a
 * trace go to one partition; a consumer that follows a link goes to that of the span it follows.
 */
export function pack(
  facts: SpanFact[],
  partitions: number,
  maxBytes = maxSpansRecordBytes - headroom,
): NewRecord[] {
  const byPartition = new Map<number, SpanFact[]>();
  const known = new Map<string, SpanFact[]>();
  for (const fact of facts) {
    const trace = fact.link?.traceId ?? fact.traceId;
    let group = known.get(trace);
    if (!group) {
      const partition = partitionOf(trace, partitions);
      group = byPartition.get(partition) ?? [];
      byPartition.set(partition, group);
      known.set(trace, group);
    }
    group.push(fact);
  }
  return [...byPartition].flatMap(([partition, group]) =>
    split(group, maxBytes).map((value) => ({
      key: null,
      partition,
      value,
      headers: { [spansHeaders.type]: spansType, [spansHeaders.version]: spansVersion },
    }))
  );
}

function split(facts: SpanFact[], maxBytes: number): Uint8Array[] {
  if (facts.length <= maxFactsPerRecord) {
    const value = encode(facts);
    if (value.byteLength <= maxBytes || facts.length === 1) return [value];
  }
  const half = Math.min(maxFactsPerRecord, Math.ceil(facts.length / 2));
  return [...split(facts.slice(0, half), maxBytes), ...split(facts.slice(half), maxBytes)];
}

function encode(facts: SpanFact[]): Uint8Array {
  const packer = new Packer();
  for (const fact of facts) packer.add(fact);
  return encoder.encode(JSON.stringify(packer.record));
}

/** Puts facts into the columns of one record. */
class Packer {
  readonly record: SpansRecord = {
    strings: [],
    services: [],
    traces: [],
    targets: [],
    trace: [],
    span: [],
    parent: [],
    kind: [],
    service: [],
    micros: [],
    operation: [],
    peer: [],
    data: [],
    links: [],
  };
  readonly #strings = new Map<string, number>();
  readonly #traces = new Map<string, number>();
  readonly #services = new Map<ServiceIdentity, number>();
  readonly #targets = new Map<string, number>();

  add(fact: SpanFact): void {
    const { record } = this;
    const number = record.trace.length;
    record.trace.push(this.#trace(fact.traceId));
    record.span.push(fact.spanId);
    record.parent.push(fact.parentSpanId ?? "");
    record.kind.push(factKinds.indexOf(fact.kind) + (fact.error ? 4 : 0));
    record.service.push(this.#service(fact.service));
    record.micros.push(fact.durationMicros);
    record.operation.push(this.#string(fact.operation));
    record.peer.push(this.#string(fact.peer));
    if (fact.targets.length > 0) {
      record.data.push([number, ...fact.targets.map((target) => this.#target(target))]);
    }
    if (fact.link) record.links.push([number, fact.link.traceId, fact.link.spanId]);
  }

  #trace(id: string): number {
    return indexIn(this.record.traces, this.#traces, id, () => id);
  }

  /** By object: all spans of a resource share theirs. */
  #service(service: ServiceIdentity): number {
    const { namespace, name, version } = service;
    const { services } = this.record;
    return indexIn(services, this.#services, service, () => [namespace, name, version]);
  }

  #string(text: string | null): number {
    if (text === null) return -1;
    return indexIn(this.record.strings, this.#strings, text, () => text);
  }

  #target({ kind, system, address, database, target, access }: DataTarget): number {
    const entry: SpansRecord["targets"][number] = [
      kind === "database" ? 0 : 1,
      this.#string(system),
      this.#string(address),
      this.#string(database),
      this.#string(target),
      access === "read" ? 0 : 1,
    ];
    return indexIn(this.record.targets, this.#targets, entry.join(), () => entry);
  }
}

/** The index of an entry in its table, to which it is added if its key is not known. */
function indexIn<K, V>(table: V[], known: Map<K, number>, key: K, entry: () => V): number {
  const index = known.get(key);
  if (index !== undefined) return index;
  known.set(key, table.length);
  return table.push(entry()) - 1;
}

const decoder = new TextDecoder();

/**
 * The facts of a record of `traces.spans`, in their order; none of a tick. Throws
 * `PermanentError("invalid_record")` or `PermanentError("unknown_version")`.
 */
export function unpack(
  { value, headers }: { value: Uint8Array; headers: Record<string, string> },
): SpanFact[] {
  const type = headers[spansHeaders.type];
  if (type === tickType) return [];
  const version = headers[spansHeaders.version];
  if (type !== spansType || version !== spansVersion) {
    throw new PermanentError("unknown_version", `A record of type ${type}, version ${version}`);
  }
  return factsOfRecord(checkedRecord(value));
}

function checkedRecord(value: Uint8Array): SpansRecord {
  const json = parsedJson(value);
  const checked = SpansRecord.safeParse(json);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue?.path.join(".") ?? "";
    throw new PermanentError("invalid_record", `${where}: ${issue?.message}`, [], checked.error);
  }
  const { trace, span, parent, kind, service, micros, operation, peer } = checked.data;
  const columns = [span, parent, kind, service, micros, operation, peer];
  if (columns.some(({ length }) => length !== trace.length)) {
    throw new PermanentError("invalid_record", "The columns of a record differ in length");
  }
  return checked.data;
}

/** Throws for what holds too much before it takes the memory of it. */
function parsedJson(value: Uint8Array): unknown {
  try {
    inspectJson(value, spansRecordLimits);
  } catch (error) {
    throw new PermanentError("invalid_record", messageOf(error), [], error);
  }
  try {
    return JSON.parse(decoder.decode(value));
  } catch (error) {
    throw new PermanentError("invalid_record", "A record is not JSON", [], error);
  }
}

function factsOfRecord(record: SpansRecord): SpanFact[] {
  const services = record.services.map(([namespace, name, version]) => ({
    namespace,
    name,
    version,
  }));
  const text = (index: number) => (index < 0 ? null : entryAt(record.strings, index));
  const targets = record.targets.map(([kind, system, address, database, target, access]) => ({
    kind: kind === 0 ? "database" : "topic",
    system: entryAt(record.strings, system),
    address: text(address),
    database: text(database),
    target: text(target),
    access: access === 0 ? "read" : "write",
  } satisfies DataTarget));
  const facts = record.trace.map((trace, i): SpanFact => ({
    traceId: entryAt(record.traces, trace),
    spanId: record.span[i]!,
    parentSpanId: record.parent[i]! || null,
    kind: factKinds[record.kind[i]! & 3]!,
    service: entryAt(services, record.service[i]!),
    durationMicros: record.micros[i]!,
    error: record.kind[i]! >= 4,
    operation: text(record.operation[i]!),
    peer: text(record.peer[i]!),
    targets: [],
    link: null,
  }));
  for (const [fact, ...touched] of record.data) {
    entryAt(facts, fact!).targets = touched.map((target) => entryAt(targets, target));
  }
  for (const [fact, traceId, spanId] of record.links) {
    entryAt(facts, fact).link = { traceId, spanId };
  }
  return facts;
}

function entryAt<T>(table: T[], index: number): T {
  const found = table[index];
  if (found !== undefined) return found;
  throw new PermanentError(
    "invalid_record",
    `A record refers to entry ${index} of ${table.length}`,
  );
}
