import { inspectJson } from "#contract/ingestion/inspect.ts";
import {
  type DataTarget,
  factKinds,
  type SpanFact,
  spansHeaders,
  SpansRecord,
  spansRecordLimits,
  spansType,
  spansVersion,
  tickType,
} from "#contract/traces.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";

const utf8 = new TextDecoder();

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
  return factsOfRecord(checked(value));
}

function checked(value: Uint8Array): SpansRecord {
  const json = parsed(value);
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
function parsed(value: Uint8Array): unknown {
  try {
    inspectJson(value, spansRecordLimits);
  } catch (error) {
    throw new PermanentError("invalid_record", messageOf(error), [], error);
  }
  try {
    return JSON.parse(utf8.decode(value));
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
  const text = (index: number) => (index < 0 ? null : at(record.strings, index));
  const targets = record.targets.map(([kind, system, address, database, target, access]) => ({
    kind: kind === 0 ? "database" : "topic",
    system: at(record.strings, system),
    address: text(address),
    database: text(database),
    target: text(target),
    access: access === 0 ? "read" : "write",
  } satisfies DataTarget));
  const facts = record.trace.map((trace, i): SpanFact => ({
    traceId: at(record.traces, trace),
    spanId: record.span[i]!,
    parentSpanId: record.parent[i]! || null,
    kind: factKinds[record.kind[i]! & 3]!,
    service: at(services, record.service[i]!),
    durationMicros: record.micros[i]!,
    error: record.kind[i]! >= 4,
    operation: text(record.operation[i]!),
    peer: text(record.peer[i]!),
    targets: [],
    link: null,
  }));
  for (const [fact, ...touched] of record.data) {
    at(facts, fact!).targets = touched.map((target) => at(targets, target));
  }
  for (const [fact, traceId, spanId] of record.links) at(facts, fact).link = { traceId, spanId };
  return facts;
}

function at<T>(table: T[], index: number): T {
  const found = table[index];
  if (found !== undefined) return found;
  throw new PermanentError(
    "invalid_record",
    `A record refers to entry ${index} of ${table.length}`,
  );
}
