import {
  type DataTarget,
  factKinds,
  maxFactsPerRecord,
  type ServiceIdentity,
  type SpanFact,
  spansHeaders,
  type SpansRecord,
  spansType,
  spansVersion,
} from "#contract/traces.ts";
import { maxSpansRecordBytes } from "#contract/topics.ts";
import { partitionOf } from "#eventlog/partitioner.ts";
import type { NewRecord } from "#eventlog/port.ts";

const utf8 = new TextEncoder();
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
  return utf8.encode(JSON.stringify(packer.record));
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
    const known = this.#traces.get(id);
    if (known !== undefined) return known;
    this.#traces.set(id, this.#traces.size);
    return this.record.traces.push(id) - 1;
  }

  /** By object: all spans of a resource share theirs. */
  #service(service: ServiceIdentity): number {
    const known = this.#services.get(service);
    if (known !== undefined) return known;
    this.#services.set(service, this.#services.size);
    return this.record.services.push([service.namespace, service.name, service.version]) - 1;
  }

  #string(text: string | null): number {
    if (text === null) return -1;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, this.#strings.size);
    return this.record.strings.push(text) - 1;
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
    const key = entry.join();
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    this.#targets.set(key, this.#targets.size);
    return this.record.targets.push(entry) - 1;
  }
}
