import {
  type ConnectorName,
  type ConnectorSettings,
  connectorSettings,
  type SettingsOf,
} from "#contract/connections/connectors.ts";
import { isRemote } from "#contract/connections/dbt.ts";
import { namespaceCatrn } from "#platform/naming/openlineage/catrns.ts";
import { hostText } from "#platform/naming/openlineage/hosts.ts";
import { escaped } from "#platform/naming/text.ts";

/** What is to be known of the settings of a connector. */
interface Kind<S> {
  /** Where it leads to, for people. */
  address(settings: S): string;
  /** CATRN of the data source: what collectors and OpenLineage call the same system. */
  source(settings: S): string;
  /** Where the secret of this name is sent to; with another place it must be given again. */
  sentTo(settings: S, secret: string): unknown[];
}

/** Settings of Kafka that name the server to which a secret is sent, by the secret. */
const kafkaServers = new Map<string, "registry_url" | "connect_url">([
  ["registry_password", "registry_url"],
  ["connect_password", "connect_url"],
]);

const origin = (url = "") => URL.parse(url)?.origin ?? url;

const kinds: { [N in ConnectorName]: Kind<SettingsOf<N>> } = {
  postgresql: {
    address: ({ host, port }) => `${host.toLowerCase()}:${port}`,
    source({ host, port, database }) {
      const address = hostText({ host: host.toLowerCase(), port: String(port) }, "5432");
      return `//postgresql/host/${address}/databases/${escaped(database)}`;
    },
    sentTo: ({ host, port, tls }) => [host.toLowerCase(), port, tls],
  },
  mysql: {
    address: ({ host, port }) => `${host.toLowerCase()}:${port}`,
    source: ({ host, port }) =>
      `//mysql/host/${hostText({ host: host.toLowerCase(), port: String(port) }, "3306")}`,
    sentTo: ({ host, port, tls }) => [host.toLowerCase(), port, tls],
  },
  dbt: {
    address: ({ location }) => location,
    source: ({ project }) => `//dbt/projects/${escaped(project)}`,
    sentTo: (settings) => [isRemote(settings) ? origin(settings.location) : "folder"],
  },
  kafka: {
    address: ({ brokers }) => brokers.join(","),
    source: ({ brokers }) => `//kafka/host/${escaped(brokers[0]!.toLowerCase())}`,
    sentTo(settings, secret) {
      const server = kafkaServers.get(secret);
      // lookup-ok -- a name of our own table
      if (server) return [origin(settings[server])];
      const { brokers, tls, sasl } = settings;
      return [brokers.map((one) => one.toLowerCase()).sort(), tls, sasl];
    },
  },
  airflow: {
    address: ({ url }) => url,
    // The data source that OpenLineage events of the same jobs have.
    source: ({ namespace }) => namespaceCatrn(namespace),
    sentTo: ({ url }) => [origin(url)],
  },
  iceberg: {
    address: ({ url, warehouse }) => warehouse ? `${url} ${warehouse}` : url,
    source: ({ url, warehouse }) =>
      `//iceberg/host/${serverOf(url)}/catalogs/${escaped(warehouse ?? "default")}`,
    sentTo: ({ url, oauth_url }, secret) => [
      origin(secret === "token" ? url : oauth_url ?? url),
    ],
  },
  files: {
    address: ({ bucket, endpoint, paths }) =>
      bucket ? [endpoint, `s3://${bucket}`].filter(Boolean).join(" ") : paths.join(","),
    source({ bucket, endpoint, host }) {
      if (!bucket) return `//filesystem/host/${escaped(host.toLowerCase())}`;
      // As rules name a bucket that openlineage.hosts gives an endpoint.
      if (endpoint) return `//s3-custom/endpoint/${serverOf(endpoint)}/buckets/${bucket}`;
      return `//s3/cloud/aws/buckets/${bucket}`;
    },
    sentTo: ({ endpoint, region }) => [endpoint ? origin(endpoint) : "", region],
  },
};

/** Host of an address, with its port unless it is the usual one. */
const serverOf = (url: string) => escaped(URL.parse(url)?.host ?? url);

function kindOf(connector: ConnectorName): Kind<ConnectorSettings> {
  return kinds[connector] as Kind<ConnectorSettings>;
}

/** Where a connection leads to, for people. */
export function addressOf(connector: ConnectorName, settings: ConnectorSettings): string {
  return kindOf(connector).address(settings);
}

/** CATRN of the data source of a connection: what collectors and OpenLineage call the same system. */
export function sourceCatrn(connector: ConnectorName, settings: ConnectorSettings): string {
  return kindOf(connector).source(settings);
}

/** What a secret is encrypted for. With another host it must be given again, or it would be sent there. */
export function purposeOf(
  connector: ConnectorName,
  settings: ConnectorSettings,
  name: string,
): string {
  return JSON.stringify([connector, ...kindOf(connector).sentTo(settings, name), name]);
}

/** Parses settings; throws a `ZodError`. */
export function parseSettings(connector: ConnectorName, given: unknown): ConnectorSettings {
  return connectorSettings[connector].parse(given);
}
