import type { ResourceSpans, SpanKind, SpanModel } from "#services/trace-gateway/otlp/decoding.ts";

const routes = ["/orders", "/orders/{id}", "/pay", "/stock"];

/** Spans as a handful of services make them: calls, some of them lonely, tables, topics and links. */
export class Traffic {
  #id = 0;

  constructor(private readonly random: () => number) {}

  /** The spans of one request: between one and about twenty, in the order of their making. */
  trace(): ResourceSpans[] {
    const traceId = this.#hex(16);
    const spans: ResourceSpans[] = [];
    this.#serve(traceId, null, 0, spans);
    return spans;
  }

  #serve(traceId: string, parent: string | null, depth: number, spans: ResourceSpans[]): void {
    const service = `s${this.#pick(5)}`;
    const route = routes[this.#pick(routes.length)]!;
    const own = this.#span(traceId, parent, "server", {
      "http.request.method": "GET",
      "http.route": route,
    });
    // Some callees are not traced, and some callers neither.
    if (depth === 0 || this.random() < 0.85) spans.push(of(service, own));
    for (let calls = this.#pick(depth > 2 ? 1 : 4); calls > 0; calls--) {
      this.#work(traceId, own.spanId, service, depth, spans);
    }
  }

  #work(
    traceId: string,
    parent: string,
    service: string,
    depth: number,
    spans: ResourceSpans[],
  ): void {
    const what = this.random();
    if (what < 0.5) {
      const client = this.#span(traceId, parent, "client", {
        "http.request.method": "GET",
        "url.template": routes[this.#pick(routes.length)]!,
        "server.address": `host${this.#pick(3)}`,
      });
      if (this.random() < 0.9) spans.push(of(service, client));
      this.#serve(traceId, client.spanId, depth + 1, spans);
    } else if (what < 0.75) {
      spans.push(of(
        service,
        this.#span(traceId, parent, "client", {
          "db.system.name": "postgresql",
          "db.namespace": "shop",
          "db.query.text": this.random() < 0.5
            ? "SELECT * FROM orders JOIN lines USING (id)"
            : "UPDATE stock SET n = 1",
        }),
      ));
    } else this.#message(traceId, parent, service, spans);
  }

  #message(traceId: string, parent: string, service: string, spans: ResourceSpans[]): void {
    const producer = this.#span(traceId, parent, "producer", {
      "messaging.system": "kafka",
      "messaging.destination.name": `topic${this.#pick(3)}`,
    });
    spans.push(of(service, producer));
    const consumer = this.#span(this.#hex(16), null, "consumer", { "messaging.system": "kafka" });
    consumer.links = [{ traceId, spanId: producer.spanId }];
    spans.push(of(`s${this.#pick(5)}`, consumer));
  }

  #span(
    traceId: string,
    parentSpanId: string | null,
    kind: SpanKind,
    attributes: SpanModel["attributes"],
  ): SpanModel {
    const startMicros = 1_900_000_000_000_000 + this.#pick(1_000_000);
    return {
      traceId,
      spanId: this.#hex(8),
      parentSpanId,
      name: kind,
      kind,
      startMicros,
      endMicros: startMicros + this.#pick(100_000),
      error: this.random() < 0.1,
      attributes,
      links: [],
    };
  }

  #pick(below: number): number {
    return Math.floor(this.random() * below);
  }

  /** An id that nothing else has. */
  #hex(bytes: number): string {
    const count = (++this.#id).toString(16).padStart(8, "0");
    let text = "";
    while (text.length < 2 * bytes - 8) text += Math.floor(this.random() * 16).toString(16);
    return text + count;
  }
}

function of(service: string, span: SpanModel): ResourceSpans {
  return { resource: { "service.name": service, "service.version": "1" }, spans: [span] };
}
