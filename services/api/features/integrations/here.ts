import { ingestionBatches } from "#contract/topics.ts";
import type { Context } from "#platform/context.ts";

/** What texts of integrations say of this server. URLs have no slash at their end. */
export interface Here {
  platformUrl: string;
  /** Receivers of traces; undefined when they take a free port, which only they know. */
  otlpHttpUrl: string | undefined;
  otlpGrpcUrl: string | undefined;
  /** Whether exporters of traces must send a token. */
  otlpToken: boolean;
  /** Whether ingestion requires the token of a collector or data source. */
  ingestionToken: boolean;
  /** Whether people sign in, so that scripts need a personal token. */
  signIn: boolean;
  /** Whether assistants may ask. */
  mcp: boolean;
  /** Whether events of OpenLineage are taken. */
  openLineage: boolean;
  /** The event log, where collectors may write batches themselves; undefined when it is embedded. */
  kafka: { brokers: string; topic: string } | undefined;
}

/** Reads it from the configuration. */
export function hereOf({ config, baseUrl }: Pick<Context, "config" | "baseUrl">): Here {
  const { traces, auth, instance } = config;
  const platformUrl = baseUrl().replace(/\/$/, "");
  const scheme = traces.tls["cert-file"] === undefined ? "http" : "https";
  const { hostname } = new URL(platformUrl);
  const at = (port: number) => port === 0 ? undefined : `${scheme}://${hostname}:${port}`;
  const { brokers } = config["event-log"].kafka;
  return {
    platformUrl,
    otlpHttpUrl: at(traces.http.port),
    otlpGrpcUrl: at(traces.grpc.port),
    otlpToken: traces.token !== undefined || auth.ingestion.filter.enabled,
    ingestionToken: auth.ingestion.filter.enabled,
    signIn: auth.type !== "DISABLED",
    mcp: config.mcp.enabled,
    openLineage: config.openlineage.enabled,
    kafka: brokers ? { brokers, topic: `${instance}.${ingestionBatches}` } : undefined,
  };
}
