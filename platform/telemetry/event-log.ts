import { withinSpan } from "#platform/telemetry/trace-context.ts";
import { SpanKind, trace } from "@opentelemetry/api";
import { tracesSpans } from "#contract/topics.ts";
import type { BatchHandler, EventLog } from "#eventlog/port.ts";
import type { Config } from "#platform/config/schema.ts";

/** Milliseconds between spans about the topic of spans: each such span is itself published there. */
const quietMs = 60_000;

/**
 * The event log of one service with tracing: a PRODUCER span for each publish, a CONSUMER span for each
 * delivery, by OpenTelemetry's messaging conventions. Costs next to nothing without an exporter.
 */
export function tracedEventLog(events: EventLog, service: string, config: Config): EventLog {
  const tracer = trace.getTracer(`tributary.${service}`);
  const attributesOf = messagingAttributes(events.engine, config);
  const lastByKind = new Map<SpanKind, number>();
  const isQuiet = (kind: SpanKind, topic: string) => {
    if (topic !== tracesSpans) return false;
    if (performance.now() - (lastByKind.get(kind) ?? -Infinity) < quietMs) return true;
    lastByKind.set(kind, performance.now());
    return false;
  };
  const spanOf = (kind: SpanKind.PRODUCER | SpanKind.CONSUMER, topic: string, count: number) => {
    const verb = kind === SpanKind.PRODUCER ? "send" : "process";
    return tracer.startSpan(`${verb} ${topic}`, {
      kind,
      attributes: { ...attributesOf(topic, verb), "messaging.batch.message_count": count },
    });
  };
  return {
    engine: events.engine,
    ensureTopics: (topics) => events.ensureTopics(topics),
    publish(topic, records, options) {
      const work = () => events.publish(topic, records, options);
      if (isQuiet(SpanKind.PRODUCER, topic)) return work();
      return withinSpan(spanOf(SpanKind.PRODUCER, topic, records.length), work);
    },
    consumer(options) {
      const handler: BatchHandler = (records, batch) => {
        const work = () => options.handler(records, batch);
        if (isQuiet(SpanKind.CONSUMER, options.topic)) return work();
        return withinSpan(spanOf(SpanKind.CONSUMER, options.topic, records.length), work);
      };
      return events.consumer({ ...options, handler });
    },
    // Not traced: foreign topics carry other programs' spans.
    foreignConsumer: events.foreignConsumer?.bind(events),
    lag: (group, topic) => events.lag(group, topic),
    notes: events.notes?.bind(events),
    rewind: events.rewind?.bind(events),
    refuse: events.refuse?.bind(events),
    refusal: events.refusal?.bind(events),
    lost: events.lost?.bind(events),
    read: (topic, range) => events.read(topic, range),
    bounds: (topic) => events.bounds(topic),
    truncate: (topic) => events.truncate(topic),
    trim: (now) => events.trim(now),
    ping: (timeoutMs) => events.ping(timeoutMs),
    close: () => events.close(),
  };
}

/** Location of a topic: the brokers, or the database with the PostgreSQL log. */
function messagingAttributes(engine: EventLog["engine"], config: Config) {
  const [broker = ""] = config["event-log"].kafka.brokers?.split(",") ?? [];
  const [host, port] = broker.trim().split(":");
  const place: Record<string, string | number> = engine === "kafka"
    ? { "messaging.system": "kafka", "server.address": host!, "server.port": Number(port ?? 9092) }
    : { "messaging.system": "tributary", "server.address": "embedded" };
  return (topic: string, operation: string) => ({
    ...place,
    "messaging.destination.name": `${config.instance}.${topic}`,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  });
}
