import { z } from "zod";
import { consumer, plainService } from "./values-of-services.ts";

const name = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/);
const secret = name.or(z.literal(""));
const texts = z.record(z.string(), z.string());
const anything = z.looseObject({});
const peers = z.array(anything);
const quantity = z.string().regex(/^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/);

const image = z.strictObject({
  repository: z.string().min(1).describe("Repository of the image, with its registry"),
  tag: z.string().describe("Tag; empty: the version of the chart"),
  digest: z.string().regex(/^(sha256:[0-9a-f]{64})?$/).describe("Digest, which wins over the tag"),
  pullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).describe("When the image is pulled"),
  pullSecrets: z.array(name).describe("Names of secrets with credentials of the registry"),
});

const engines = {
  postgres: z.strictObject({
    existingSecret: secret.describe(
      "Secret with the URL of the metadata, `postgres://user:password@host/database?sslmode=verify-full`; required",
    ),
    urlKey: z.string().min(1).describe("Key of the URL in that secret"),
  }),
  kafka: z.strictObject({
    brokers: z.string().describe(
      "Brokers, `host:port` separated by commas; empty: the log is stored in PostgreSQL",
    ),
    existingSecret: secret.describe("Secret with the SASL password; empty: none is sent"),
    passwordKey: z.string().min(1).describe("Key of the password in that secret"),
  }),
  neo4j: z.strictObject({
    url: z.string().regex(/^((bolt|neo4j)(\+s|\+ssc)?:\/\/[^@\s]+)?$/).describe(
      "Address of Neo4j, without a password; empty: walks run in PostgreSQL",
    ),
    existingSecret: secret.describe("Secret with the password of Neo4j"),
    passwordKey: z.string().min(1).describe("Key of the password in that secret"),
  }),
  redis: z.strictObject({
    existingSecret: secret.describe(
      "Secret with the URL of Redis; empty: each process has a cache in memory. Required for several replicas of `api`",
    ),
    urlKey: z.string().min(1).describe("Key of the URL in that secret"),
  }),
};

const attachments = z.strictObject({
  persistence: z.strictObject({
    enabled: z.boolean().describe(
      "Whether a claim keeps the files where `attachment.storage` is LOCAL",
    ),
    existingClaim: secret.describe(
      "A claim of yours; empty: the chart makes one, which outlives the release",
    ),
    size: quantity.describe("Size of the claim"),
    storageClassName: z.string().describe("Storage class; empty: the default one of the cluster"),
    accessMode: z.enum(["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"]).describe(
      "Several replicas of `api` need ReadWriteMany, or `attachment.storage: REMOTE`",
    ),
  }),
});

const ingress = z.strictObject({
  enabled: z.boolean().describe("Whether the chart makes an Ingress for `api`"),
  className: z.string().describe("Ingress class; empty: the default one"),
  host: z.string().describe("Host name by which people reach the catalogue; required"),
  path: z.string().regex(/^\/([A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*)?$/).describe(
    "Path below which people reach it; the ingress strips it, which needs nginx",
  ),
  tlsSecret: secret.describe("Secret with the certificate of the host; empty: no TLS"),
  nginx: z.boolean().describe(
    "Whether ingress-nginx serves it: then the annotations for buffering, sizes, times and the path are set",
  ),
  annotations: texts.describe("Further annotations"),
});

const networkPolicy = z.strictObject({
  enabled: z.boolean().describe("Whether connections that are not named below are refused"),
  apiFrom: peers.describe("Peers that may reach the API; empty: all"),
  otlpFrom: peers.describe("Peers that may send OTLP; empty: all"),
  metricsFrom: peers.describe("Peers that may read the metrics of the other services; empty: all"),
  egressPorts: z.array(z.int().min(1).max(65_535)).describe(
    "Ports of engines, mail servers, identity providers and webhooks that services may reach; DNS always",
  ),
  collectorPorts: z.array(z.int().min(1).max(65_535)).describe(
    "Ports of data sources that `collector` may reach in addition; empty: every port. Link-local addresses never",
  ),
});

const monitoring = z.strictObject({
  serviceMonitor: z.strictObject({
    enabled: z.boolean().describe("Whether the Prometheus operator scrapes the services"),
    interval: z.string().regex(/^[0-9]+(s|m)$/).describe("How often"),
    labels: texts.describe("Labels by which your Prometheus selects it"),
  }),
  rules: z.strictObject({
    enabled: z.boolean().describe("Whether the alerts of `ops/alerts.yml` become a PrometheusRule"),
    labels: texts.describe("Labels by which your Prometheus selects it"),
  }),
  dashboards: z.strictObject({
    enabled: z.boolean().describe(
      "Whether the dashboards become ConfigMaps for the sidecar of Grafana",
    ),
    labels: texts.describe("Labels by which the sidecar finds them"),
  }),
});

const scheduling = {
  nodeSelector: texts.describe("Labels of the nodes"),
  tolerations: z.array(anything).describe("Tolerations of all pods"),
  affinity: anything.describe("Affinity of all pods"),
  priorityClassName: z.string().describe("Priority class of all pods"),
  topologySpread: z.strictObject({
    enabled: z.boolean().describe("Whether replicas of a service are spread"),
    topologyKeys: z.array(z.string()).describe("Over what: labels of nodes"),
    whenUnsatisfiable: z.enum(["ScheduleAnyway", "DoNotSchedule"]).describe(
      "What if they cannot be",
    ),
  }),
};

/** The values of the chart; `config` and the names of `secretEnvironment` come from the schema of the configuration. */
export const Values = z.strictObject({
  nameOverride: z.string().describe("Name in labels instead of `tributary`"),
  fullnameOverride: z.string().describe("Prefix of all names instead of the release's"),
  global: anything.describe("Values of a parent chart; not used"),
  image,
  config: anything.describe(
    "Configuration, as in docs/operate/configuration.md, without secrets and what the chart sets itself",
  ),
  secretEnvironment: z.array(z.strictObject({
    name: z.string().describe(
      "Variable of a secret key of the configuration, or `SOURCE_SECRET_…` for `collector`",
    ),
    existingSecret: name.describe("Secret that holds the value"),
    key: z.string().min(1).describe("Key in that secret"),
  })).describe("Secrets of the configuration, each as a variable from a secret of yours"),
  environment: z.record(z.string().regex(/^(LOG_LEVEL|OTEL_[A-Z_]+)$/), z.string()).describe(
    "`LOG_LEVEL` and the variables of OpenTelemetry",
  ),
  mounts: z.array(z.strictObject({
    name: name.describe("Folder below `/etc/tributary`"),
    existingSecret: secret.optional().describe("Secret whose keys are the files"),
    configMap: secret.optional().describe("Or a ConfigMap"),
  })).describe("Files, such as certificates, that the configuration names"),
  ...engines,
  services: z.strictObject({
    api: plainService.describe("The REST API and the web interface"),
    "ingest-consumer": consumer.describe("Applies batches; not more replicas than partitions"),
    "trace-gateway": consumer.describe("Receives and pairs spans"),
    notifier: plainService.extend({ enabled: z.boolean().describe("Whether it runs") })
      .describe("Announces alerts; one replica works, others stand by"),
    openlineage: consumer.describe("Merges OpenLineage events"),
    datahub: plainService.extend({ enabled: z.boolean().describe("Whether it runs") })
      .describe("Publishes what collectors of DataHub sent"),
    collector: plainService.extend({ enabled: z.boolean().describe("Whether it runs") })
      .describe("Reads the sources of connections"),
  }),
  autoscaling: z.strictObject({
    metricsAdapter: z.boolean().describe(
      "Whether the cluster has an adapter for metrics of Prometheus; then consumers also scale by their lag",
    ),
  }),
  attachments,
  ingress,
  networkPolicy,
  monitoring,
  migrations: z.strictObject({
    enabled: z.boolean().describe(
      "Whether a Job applies the schema before services are installed or upgraded; otherwise the first process does",
    ),
    activeDeadlineSeconds: z.int().min(10).max(86_400).describe(
      "Longest time of the Job, in seconds",
    ),
  }),
  podDisruptionBudgets: z.boolean().describe(
    "Whether evictions take one pod of a service at a time",
  ),
  serviceAccount: z.strictObject({
    create: z.boolean().describe("Whether the chart makes a service account, which has no rights"),
    name: z.string().describe("Its name; empty: that of the release"),
    annotations: texts.describe("Its annotations"),
  }),
  podAnnotations: texts.describe("Annotations of all pods"),
  podLabels: texts.describe("Labels of all pods"),
  ...scheduling,
}).partial();
