import type { Config } from "#platform/config/schema.ts";

/** Users that the configuration has until others are named. */
const defaultUsers = ["admin:admin", "root:root"];

/** Minimum length of a secret that this program requires from others. */
export const shortestSecret = 32;

/** What a configuration exposes to the network. */
interface Exposure {
  /** Reasons not to start. */
  refused: string[];
  /** What operators should know of. */
  warned: string[];
}

/** Judges a configuration by what the services of a process open to others. */
export function exposureOf(config: Config, services: readonly string[]): Exposure {
  const api = services.includes("api") ? exposureOfApi(config) : { refused: [], warned: [] };
  return { refused: [...api.refused, ...shortSecrets(config)], warned: api.warned };
}

function exposureOfApi({ auth, server }: Config): Exposure {
  const exposed = !isLoopback(server.host) && !auth["allow-open-access"];
  const users = auth["login-form-credentials"].split(",").map((pair) => pair.trim());
  const known = users.filter((pair) => defaultUsers.includes(pair)).map((pair) =>
    pair.split(":")[0]
  );
  const hasDefaults = auth.type === "LOGIN_FORM" && known.length > 0;
  const instead =
    `or acknowledge it by auth.allow-open-access: true (server.host is ${server.host})`;
  const defaults = "auth.login-form-credentials: the default password of " +
    `${known.join(", ")} is known to everybody`;
  return {
    refused: [
      ...exposed && auth.type === "DISABLED"
        ? [
          `auth.type: DISABLED allows every client of the API to do everything; set how people sign in, ${instead}`,
        ]
        : [],
      ...exposed && hasDefaults ? [`${defaults}; set others, ${instead}`] : [],
    ],
    warned: [
      ...hasDefaults && !exposed ? [defaults] : [],
      ...auth.type !== "DISABLED" && !auth.ingestion.filter.enabled
        ? [
          "people sign in, but every client of the API may ingest: set auth.ingestion.filter.enabled",
        ]
        : [],
      ...auth.type === "LOGIN_FORM" && auth["enforce-all-gates"] && !auth.s2s.enabled &&
          auth["login-form-administrators"].length === 0
        ? ["nobody is an administrator: name some in auth.login-form-administrators"]
        : [],
    ],
  };
}

function shortSecrets({ auth, traces }: Config): string[] {
  const secrets = [
    ["auth.s2s.token", auth.s2s.enabled ? auth.s2s.token : undefined],
    ["traces.token", traces.token],
  ] as const;
  return secrets.flatMap(([key, value]) =>
    value === undefined || value.length >= shortestSecret ? [] : [
      `${key}: has ${value.length} characters, must have at least ${shortestSecret}: openssl rand -base64 32`,
    ]
  );
}

/** A secret that is sent over a network without encryption. */
interface PlainSecret {
  key: string;
  /** The host that it is sent to, or that receives it. */
  host: string;
  /** The setting that would protect it. */
  instead: string;
}

/**
 * Secrets of the configuration that are sent unencrypted, except over loopback addresses: `warned`, and those to hosts that
 * the operator declares private (`server.private-hosts`), `accepted`.
 */
export function plainSecrets(
  config: Config,
): { warned: PlainSecret[]; accepted: PlainSecret[] } {
  const all = [
    ...ofKafka(config),
    ...ofNeo4j(config),
    ...ofPostgres(config),
    ...ofRedis(config),
    ...ofReceivers(config),
    ...ofGenAi(config),
    ...ofCollaboration(config),
    ...ofTraces(config),
    ...ofDirectory(config),
    ...ofProviders(config),
  ];
  const remote = all.filter(({ host }) => !isLoopback(host));
  const isPrivate = ({ host }: PlainSecret) => config.server["private-hosts"].includes(bare(host));
  return {
    warned: remote.filter((secret) => !isPrivate(secret)),
    accepted: remote.filter(isPrivate),
  };
}

function ofKafka({ "event-log": { kafka } }: Config): PlainSecret[] {
  if (!kafka.brokers || !kafka.sasl.mechanism || kafka.ssl.enabled) return [];
  const hosts = kafka.brokers.split(",").map((broker) => broker.trim().replace(/:\d*$/, ""));
  const key = "event-log.kafka.sasl.password";
  return hosts.map((host) => ({ key, host, instead: "event-log.kafka.ssl.enabled: true" }));
}

function ofNeo4j({ graph: { neo4j } }: Config): PlainSecret[] {
  const url = URL.parse(neo4j.url ?? "");
  if (!url || !/^(bolt|neo4j):$/.test(url.protocol) || !neo4j.password) return [];
  return [{ key: "graph.neo4j.password", host: url.hostname, instead: "bolt+s:// or neo4j+s://" }];
}

function ofPostgres({ metadata: { postgres } }: Config): PlainSecret[] {
  const url = URL.parse(postgres.url ?? "");
  if (!url) return [];
  const { searchParams } = url;
  const tls = (searchParams.get("sslmode") ?? "disable") !== "disable" ||
    /^(true|1)$/.test(searchParams.get("ssl") ?? "");
  if (tls || !(url.password || searchParams.has("password"))) return [];
  const host = searchParams.get("host") ?? url.hostname;
  return [{ key: "metadata.postgres.url", host, instead: "sslmode=verify-full" }];
}

function ofRedis({ cache: { redis } }: Config): PlainSecret[] {
  const url = URL.parse(redis.url ?? "");
  if (url?.protocol !== "redis:" || !url.password) return [];
  return [{ key: "cache.redis.url", host: url.hostname, instead: "rediss://" }];
}

/** URLs are secrets too: a chat's allows posting to it, and a webhook's may contain a password. */
function ofReceivers({ notifications: { enabled, receivers } }: Config): PlainSecret[] {
  if (!enabled) return [];
  const chat = URL.parse(receivers.chat.url ?? "");
  const webhook = URL.parse(receivers.webhook.url ?? "");
  const found = [
    ...(chat ? [{ key: "notifications.receivers.chat.url", url: chat }] : []),
    ...(webhook?.password ? [{ key: "notifications.receivers.webhook.url", url: webhook }] : []),
  ];
  return found.filter(({ url }) => url.protocol === "http:")
    .map(({ key, url }) => ({ key, host: url.hostname, instead: "https://" }));
}

function ofGenAi({ genai: { enabled, url } }: Config): PlainSecret[] {
  const address = URL.parse(url ?? "");
  if (!enabled || address?.protocol !== "http:" || !address.password) return [];
  return [{ key: "genai.url", host: address.hostname, instead: "https://" }];
}

function ofCollaboration({ datacollaboration }: Config): PlainSecret[] {
  const url = URL.parse(datacollaboration["api-url"]);
  if (!datacollaboration.enabled || url?.protocol !== "http:") return [];
  const key = "datacollaboration.chat-oauth-token";
  return [{ key, host: url.hostname, instead: "https:// in datacollaboration.api-url" }];
}

function ofTraces({ traces }: Config): PlainSecret[] {
  if (!traces.token || traces.tls["cert-file"]) return [];
  const hosts = new Set([traces.http.host, traces.grpc.host]);
  const instead = "traces.tls.cert-file, or a proxy with TLS";
  return [...hosts].map((host) => ({ key: "traces.token", host, instead }));
}

/** People's passwords as well as the account's own. */
function ofDirectory({ auth: { type, ldap } }: Config): PlainSecret[] {
  const url = URL.parse(ldap.url ?? "");
  if (type !== "LDAP" || url?.protocol !== "ldap:" || ldap["start-tls"]) return [];
  return [{ key: "auth.ldap.url", host: url.hostname, instead: "ldaps:// or auth.ldap.start-tls" }];
}

/** Codes, secrets and tokens; a discovered address without TLS is taken only from an issuer without TLS. */
function ofProviders({ auth: { type, oauth2 } }: Config): PlainSecret[] {
  if (type !== "OAUTH2") return [];
  return Object.entries(oauth2.client).flatMap(([id, client]) => {
    const names = ["issuer-uri", "token-uri", "user-info-uri", "jwk-set-uri"] as const;
    return names.flatMap((name) => {
      const url = URL.parse(client[name] ?? "");
      const key = `auth.oauth2.client.${id}.${name}`;
      return url?.protocol === "http:" ? [{ key, host: url.hostname, instead: "https://" }] : [];
    });
  });
}

/** Whether a host is this machine; a directory is that of a Unix socket. */
export function isLoopback(host: string): boolean {
  const name = bare(host);
  return name === "" || name.startsWith("/") || name.startsWith("%2f") || name === "::1" ||
    name === "localhost" || name.endsWith(".localhost") || /^127(\.\d{1,3}){3}$/.test(name);
}

/** As `server.private-hosts` writes hosts: lower case, IPv6 addresses without brackets. */
function bare(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "");
}
