import type { Metrics } from "#kit/metrics.ts";
import type { Edge, Observation } from "./edge.ts";

/** The client label of callers that are not traced, as service graphs commonly name them. */
const untraced = "user";
/** Stands for all pairs beyond the bound. */
const overflow = { client: "(other)", server: "(other)", connection_type: "(other)" };

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Calls between services as Prometheus metrics, by the names and labels that Grafana's service graph
 * reads. At most `maxSeries` pairs have series of their own; all others share one.
 */
export class GraphMetrics {
  readonly #known = new Map<string, Record<string, string>>();
  readonly #total;
  readonly #failed;
  readonly #server;
  readonly #client;

  constructor(metrics: Metrics, private readonly maxSeries = 2_000) {
    const labels = ["client", "server", "connection_type"];
    this.#total = metrics.counter(
      "traces_service_graph_request_total",
      "Requests between two services, or between a service and a dataset",
      labels,
    );
    this.#failed = metrics.counter(
      "traces_service_graph_request_failed_total",
      "Failed requests between two services, or between a service and a dataset",
      labels,
    );
    this.#server = metrics.histogram(
      "traces_service_graph_request_server_seconds",
      "Time of a request as its server measured it",
      labels,
      seconds,
    );
    this.#client = metrics.histogram(
      "traces_service_graph_request_client_seconds",
      "Time of a request as its client measured it",
      labels,
      seconds,
    );
  }

  add(observation: Observation): void {
    const labels = this.#labels(observation.edge);
    this.#total.inc(labels);
    if (observation.error) this.#failed.inc(labels);
    const { serverMicros, clientMicros } = observation;
    if (serverMicros !== null) this.#server.observe(labels, serverMicros / 1_000_000);
    if (clientMicros !== null) this.#client.observe(labels, clientMicros / 1_000_000);
  }

  #labels(edge: Edge): Record<string, string> {
    const labels = labelsOf(edge);
    const key = `${labels.client}\0${labels.server}\0${labels.connection_type}`;
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= this.maxSeries) return overflow;
    this.#known.set(key, labels);
    return labels;
  }
}

function labelsOf({ kind, service, peer, data }: Edge) {
  const own = service ? named(service) : untraced;
  if (kind === "call") {
    const traced = service !== null && peer?.kind === "service";
    return {
      client: own,
      server: peer ? named(peer) : untraced,
      connection_type: traced ? "" : "virtual_node",
    };
  }
  if (kind === "database") {
    const server = data?.database ?? data?.address ?? data?.target ?? data?.system ?? "";
    return { client: own, server, connection_type: "database" };
  }
  const topic = data?.target ?? "";
  const [client, server] = data?.access === "write" ? [own, topic] : [topic, own];
  return { client, server, connection_type: "messaging_system" };
}

function named({ namespace, name }: { namespace: string | null; name: string }): string {
  return namespace === null ? name : `${namespace}/${name}`;
}
