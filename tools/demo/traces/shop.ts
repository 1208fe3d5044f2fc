import { type Attributes, DemoTrace, exportOf, type TraceExport } from "./spans.ts";

const namespace = "harbour";

/** CATRN of a service of the shop. */
export const shopService = (name: string): string =>
  `//microservice/namespaces/${namespace}/services/${name}`;

const versions: Record<string, string> = { orders: "2.14.0", payments: "5.1.3" };

const resourceOf = (service: string): Attributes => ({
  "service.namespace": namespace,
  "service.name": service,
  "service.version": versions[service] ?? "1.0.0",
});

/** Traces of the shop's services for some customers, in the form that their exporters would send. */
export function shopTraces(now: number, customers = 30): TraceExport {
  const traces = Array.from({ length: customers }, (_, n) => {
    const at = now - (customers - n) * 1_000;
    return [checkout(at, n % 10 === 7), recommendation(at), delivery(at)];
  });
  return exportOf(traces.flat(), resourceOf);
}

const database = (query: string): Attributes => ({
  "db.system.name": "postgresql",
  "db.namespace": "shop",
  "db.query.text": query,
  "server.address": "shop-db.harbour.example",
  "server.port": "5432",
});

const topic = (name: string, operation: "send" | "process"): Attributes => ({
  "messaging.system": "kafka",
  "messaging.destination.name": name,
  "messaging.operation.type": operation,
  "server.address": "events.harbour.example",
});

/** A trace, with helpers for the steps that most of its spans consist of. */
class Story extends DemoTrace {
  /** Serves a request whose caller is not traced. */
  entry(service: string, route: string, inner: (parent: string) => void) {
    this.span(service, "server", route, http(route), { millis: 20 }, inner);
  }

  /** One service calls another: one span on each side. */
  call(
    [from, to]: [string, string],
    route: string,
    options: { parent: string; failed?: boolean },
    inner: (parent: string) => void = () => {},
  ) {
    const client = { ...http(route), "server.address": to };
    this.span(from, "client", route.split(" ")[0]!, client, options, (parent) => {
      this.span(to, "server", route, http(route), { ...options, parent, millis: 12 }, inner);
    });
  }

  query(service: string, parent: string, query: string) {
    const name = query.split(" ")[0]!;
    this.span(service, "client", name, database(query), { parent });
  }

  send(service: string, parent: string, name: string) {
    this.span(service, "producer", `send ${name}`, topic(name, "send"), { parent });
  }

  receive(service: string, name: string, inner: (parent: string) => void) {
    this.span(service, "consumer", `process ${name}`, topic(name, "process"), {}, inner);
  }
}

const http = (route: string): Attributes => ({
  "http.request.method": route.split(" ")[0]!,
  "http.route": route.split(" ")[1]!,
});

function checkout(at: number, failed: boolean): DemoTrace {
  const story = new Story(at);
  story.entry("storefront", "POST /checkout", (parent) => {
    story.call(["storefront", "orders"], "POST /orders", { parent, failed }, (parent) => {
      story.query("orders", parent, "SELECT * FROM vouchers WHERE code = $1");
      story.call(["orders", "payments"], "POST /payments", { parent, failed }, (parent) => {
        const charge = { ...http("POST /v1/charges"), "server.address": "api.bank.example" };
        story.span("payments", "client", "POST", charge, { parent, millis: 80, failed });
        story.query("payments", parent, "INSERT INTO payments VALUES ($1, $2)");
        story.send("payments", parent, "payments.settled");
      });
      story.query("orders", parent, "INSERT INTO orders VALUES ($1, $2, $3)");
      story.query("orders", parent, "INSERT INTO order_items VALUES ($1, $2)");
      story.send("orders", parent, "orders.placed");
    });
  });
  return story;
}

function recommendation(at: number): DemoTrace {
  const story = new Story(at);
  story.entry("storefront", "GET /home", (parent) => {
    story.call(["storefront", "recommender"], "GET /for/{customer}", { parent }, (parent) => {
      story.query("recommender", parent, "SELECT * FROM products JOIN segment_members USING (id)");
    });
  });
  return story;
}

function delivery(at: number): DemoTrace {
  const story = new Story(at);
  story.receive("shipping", "payments.settled", (parent) => {
    story.query("shipping", parent, "SELECT * FROM addresses WHERE customer_id = $1");
    story.query("shipping", parent, "INSERT INTO shipments VALUES ($1, $2)");
    story.send("shipping", parent, "shipments.updated");
  });
  story.receive("notifications", "shipments.updated", (parent) => {
    story.query("notifications", parent, "SELECT email FROM customers WHERE id = $1");
  });
  return story;
}
