import type { Metrics } from "#kit/metrics.ts";
import { accounts, type Overflow, type SpanAccounting, type SpanPairer } from "./pairing.ts";
import type { Batch, Edge, Observation } from "./observations.ts";

/** Metrics of the service-graph workers; each is counted once its subject is committed. */
export class PairingMetrics {
  readonly lag;
  readonly refused;
  readonly refusedEdges;
  readonly #facts;
  readonly #waiting;
  readonly #time;
  readonly #edges;
  readonly #overflow;
  readonly #graph: GraphMetrics;
  readonly #reported = new WeakMap<SpanPairer, Overflow>();

  constructor(metrics: Metrics) {
    this.#graph = new GraphMetrics(metrics);
    this.#facts = metrics.counter(
      "tributary_traces_facts_total",
      "Facts of spans read from the log, and their outcomes; a pair counts once",
      ["outcome"],
    );
    this.#waiting = metrics.gauge(
      "tributary_traces_waiting",
      "Spans waiting for the other half of their call",
      ["partition"],
    );
    this.#time = metrics.gauge(
      "tributary_traces_stream_time_seconds",
      "Log time that a partition of spans has reached, in seconds since the epoch",
      ["partition"],
    );
    this.#edges = metrics.counter(
      "tributary_traces_edges_merged_total",
      "Edges updated by commits of the service-graph workers",
    );
    this.refusedEdges = metrics.counter(
      "tributary_traces_edges_refused_total",
      "Edges that the metadata store rejected as invalid and that were left out of a commit",
    );
    this.#overflow = metrics.counter(
      "tributary_traces_overflow_total",
      "Spans evicted early: waiting ones, or those remembered for deduplication",
      ["what"],
    );
    this.lag = metrics.gauge(
      "tributary_traces_lag_records",
      "Records of the log of spans that are not counted yet, when last measured",
      ["partition"],
    );
    this.refused = metrics.counter(
      "tributary_traces_records_refused_total",
      "Records of the log of spans written to the dead letters, by reason",
      ["reason"],
    );
  }

  committed(partition: number, pairing: SpanPairer, gained: SpanAccounting, batch: Batch): void {
    for (const outcome of accounts) {
      if (outcome !== "waiting" && gained[outcome] > 0) {
        this.#facts.inc({ outcome }, gained[outcome]);
      }
    }
    const labels = { partition: String(partition) };
    this.#waiting.set(labels, pairing.waitingCount);
    this.#time.set(labels, pairing.time / 1_000);
    this.#edges.inc({}, batch.deltas.size);
    this.#overflowed(pairing);
    for (const observation of batch.observations) this.#graph.add(observation);
  }

  #overflowed(pairing: SpanPairer): void {
    const reported = this.#reported.get(pairing) ?? { waiting: 0, seen: 0 };
    const now = { ...pairing.overflow };
    for (const what of ["waiting", "seen"] as const) {
      if (now[what] > reported[what]) this.#overflow.inc({ what }, now[what] - reported[what]);
    }
    this.#reported.set(pairing, now);
  }
}

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
