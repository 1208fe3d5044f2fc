// One service of a small shop, as an application has it: an HTTP server that is traced by the stock
// OpenTelemetry SDK of Node, set up by its environment (OTEL_SERVICE_NAME names the service). Runs on
// Node, as those applications do. Prints `port <n>`; PEERS (JSON, name → port) comes as a line of input.
// Databases and brokers are told of in spans, as their instrumentations do, and are not really there.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

const sdk = new NodeSDK({ instrumentations: [] });
sdk.start();
const name = process.env.OTEL_SERVICE_NAME;
const tracer = trace.getTracer("shop");
let peers = {};

async function inSpan(spanName, kind, attributes, work = () => {}) {
  const span = tracer.startSpan(spanName, { kind, attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } finally {
    span.end();
  }
}

function query(text) {
  return inSpan(text.split(" ")[0], SpanKind.CLIENT, {
    "db.system.name": "postgresql",
    "db.namespace": "shop",
    "db.query.text": text,
    "server.address": "db.example",
    "server.port": 5432,
  });
}

function call(to, method, path) {
  const attributes = {
    "http.request.method": method,
    "url.full": `http://${to}.example${path}`,
    "server.address": `${to}.example`,
  };
  return inSpan(method, SpanKind.CLIENT, attributes, () => send(to, method, path));
}

async function send(to, method, path) {
  if (!peers[to]) return;
  const headers = {};
  propagation.inject(context.active(), headers);
  const response = await fetch(`http://127.0.0.1:${peers[to]}${path}`, { method, headers });
  await response.text();
}

const topic = (destination, type) => ({
  "messaging.system": "kafka",
  "messaging.destination.name": destination,
  "messaging.operation.type": type,
  "server.address": "bus.example",
});

/** A message takes its trace along; here it goes straight to whoever consumes the topic. */
const produce = (destination, consumer) =>
  inSpan(
    `send ${destination}`,
    SpanKind.PRODUCER,
    topic(destination, "send"),
    () => send(consumer, "POST", `/messages/${destination}`),
  );

/** What each service does, by the route that is requested. */
const routes = {
  storefront: {
    "GET /buy": async () => {
      await call("recommender", "GET", "/for/42");
      await call("orders", "POST", "/orders");
    },
  },
  recommender: { "GET /for/{customer}": () => query("SELECT * FROM products") },
  orders: {
    "POST /orders": async () => {
      await query("SELECT * FROM vouchers WHERE code = $1");
      await query("INSERT INTO orders VALUES ($1, $2)");
      await call("payments", "POST", "/payments");
      await produce("orders.placed", "shipping");
    },
  },
  payments: {
    "POST /payments": async () => {
      await call("api.bank", "POST", "/v1/charges");
      await query("INSERT INTO payments VALUES ($1)");
    },
  },
  shipping: {
    "orders.placed": async () => {
      await query("INSERT INTO shipments VALUES ($1)");
      await produce("shipments.updated", "notifications");
    },
  },
  notifications: { "shipments.updated": () => query("SELECT email FROM customers") },
};

const server = createServer((request, response) => {
  const parent = propagation.extract(context.active(), request.headers);
  const message = request.url.startsWith("/messages/") ? request.url.split("/")[2] : null;
  const route = message ?? `${request.method} ${request.url.replace("/42", "/{customer}")}`;
  const work = routes[name][route];
  const span = message
    ? [`process ${message}`, SpanKind.CONSUMER, topic(message, "process")]
    : [route, SpanKind.SERVER, {
      "http.request.method": request.method,
      "http.route": route.split(" ")[1],
    }];
  context.with(parent, () => inSpan(...span, work))
    .then(() => response.end("done"), (error) => response.writeHead(500).end(String(error)));
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));

// The first line tells the peers; the end of input ends the service.
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  peers = JSON.parse(line);
  console.log("ready");
});
input.on("close", () => sdk.shutdown().finally(() => process.exit(0)));
