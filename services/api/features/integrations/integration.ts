import { ingestionBatches } from "#contract/topics.ts";
import type { Context } from "#platform/context.ts";
import type { Argument, Block, Snippet } from "#services/api/features/integrations/schemas.ts";

/** One way into the catalogue, as a file of `content/` describes it. */
export interface IntegrationSpec {
  id: string;
  name: string;
  description: string;
  /** Whether this server has it; by default it has. */
  offered?: (here: Here) => boolean;
  /** SQL condition that something came by it, along an index; $1 is the data source of the trace gateway. */
  arrived: string;
  blocks: (here: Here) => Block[];
}

/** An argument to be filled in by the user of the snippet. */
export function argument(
  parameter: string,
  name: string,
  type: Argument["type"] = "STRING",
): Argument {
  return { parameter, name, type, static_value: null };
}

/** An argument that this server knows, or else one to be filled in. */
export function known(parameter: string, name: string, value: string | undefined): Argument {
  return { ...argument(parameter, name), static_value: value ?? null };
}

/** The address of this server. */
export const platformUrl = (here: Here) =>
  known("platform_url", "Address of this catalogue", here.platformUrl);

/** A snippet with those of the arguments that its template names. */
export function snippet(template: string, ...given: Argument[]): Snippet {
  return {
    template,
    arguments: given.filter(({ parameter }) => template.includes(`{{${parameter}}}`)),
  };
}

/** The lines of a curl command that posts JSON; `token` names the parameter of the token to send, if any. */
export function post(path: string, token: string | undefined, body: string): string {
  return [
    `curl -i -X POST '{{platform_url}}${path}' \\`,
    ...token === undefined ? [] : [`  -H 'authorization: Bearer {{${token}}}' \\`],
    `  -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
  ].join("\n");
}

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
