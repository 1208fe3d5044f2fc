import {
  type ConnectorName,
  type ConnectorSettings,
  connectorSettings,
} from "#contract/connections/connectors.ts";
import { escaped } from "#platform/naming/text.ts";
import { hostText } from "#platform/naming/openlineage/hosts.ts";

/** Where a connection leads to. */
export interface SourceAddress {
  host: string;
  port: number;
}

/** The address of a source, by which secrets are bound to it. */
export function addressOf(settings: ConnectorSettings): SourceAddress {
  return { host: settings.host.toLowerCase(), port: settings.port };
}

/** CATRN of the data source of a connection: what collectors and OpenLineage call the same database. */
export function sourceCatrn(_connector: ConnectorName, settings: ConnectorSettings): string {
  const { host, port } = addressOf(settings);
  const address = hostText({ host, port: String(port) }, "5432");
  return `//postgresql/host/${address}/databases/${escaped(settings.database)}`;
}

/** What a secret is encrypted for. With another host it must be given again, or it would be sent there. */
export function purposeOf(
  connector: ConnectorName,
  settings: ConnectorSettings,
  name: string,
): string {
  const { host, port } = addressOf(settings);
  return JSON.stringify([connector, host, port, settings.tls, name]);
}

/** Parses settings; throws a `ZodError`. */
export function parseSettings(connector: ConnectorName, given: unknown): ConnectorSettings {
  return connectorSettings[connector].parse(given);
}
