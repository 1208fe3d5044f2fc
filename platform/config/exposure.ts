import { isLoopback } from "#platform/config/plain.ts";
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
  const api = services.includes("api") ? ofApi(config) : { refused: [], warned: [] };
  return { refused: [...api.refused, ...shortSecrets(config)], warned: api.warned };
}

function ofApi({ auth, server }: Config): Exposure {
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
