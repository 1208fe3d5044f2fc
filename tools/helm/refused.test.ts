import { beforeAll, expect, it } from "vitest";
import { helmPrograms } from "./install.mjs";
import { render } from "./render.ts";

beforeAll(() => void helmPrograms());

it.each<[string, string, Record<string, unknown>, string]>([
  [
    "nobody signs in and nobody acknowledged it",
    "minimal",
    { "config.auth": {} },
    "config.auth.type: say how people sign in",
  ],
  [
    "sign-in is switched off by name",
    "oidc",
    { "config.auth": { type: "DISABLED" } },
    "config.auth.type: say how people sign in",
  ],
  [
    "no database is named",
    "minimal",
    { "postgres.existingSecret": "" },
    "postgres.existingSecret: name the secret",
  ],
  [
    "a form has only the default users",
    "minimal",
    { "config.auth.type": "LOGIN_FORM" },
    "LOGIN_FORM needs AUTH_LOGIN_FORM_CREDENTIALS",
  ],
  [
    "OAUTH2 has no provider",
    "minimal",
    { "config.auth.type": "OAUTH2" },
    "config.auth.oauth2.client: OAUTH2 needs at least one client",
  ],
  [
    "a provider could not send people back",
    "oidc",
    { "ingress.enabled": false },
    "config.catalog.platform-base-url: OAUTH2 needs the address",
  ],
  ["LDAP has no directory", "minimal", { "config.auth.type": "LDAP" }, "config.auth.ldap.url"],
  [
    "replicas of api would not share sessions",
    "minimal",
    { "services.api.replicas": 2 },
    "redis.existingSecret: several replicas of api",
  ],
  [
    "replicas of api would not share files",
    "minimal",
    { "services.api.replicas": 2, "redis.existingSecret": "redis" },
    "attachments.persistence.accessMode: several replicas",
  ],
  ["the host is missing", "oidc", { "ingress.host": "" }, "ingress.host: name the host"],
  [
    "nobody would strip the path",
    "below-a-path",
    { "ingress.nginx": false },
    "ingress.path: only ingress-nginx",
  ],
  ["a mount has no source", "minimal", { mounts: [{ name: "a" }] }, "mounts: a needs either"],
  [
    "the fewest replicas are more than the most",
    "autoscaling",
    { "services.openlineage.autoscaling.minReplicas": 9 },
    "services.openlineage.autoscaling: minReplicas is more than maxReplicas",
  ],
  [
    "a secret stands in the configuration",
    "minimal",
    { "config.auth.s2s": { enabled: true, token: "opensesame" } },
    "token",
  ],
  ["a key of the configuration is unknown", "minimal", { "config.lineage": { depth: 3 } }, "depth"],
  ["a value is unknown", "minimal", { replicas: 2 }, "replicas"],
  [
    "a value is not allowed",
    "minimal",
    { "services.api.resources.limits.memory": "plenty" },
    "services.api.resources.limits.memory",
  ],
  [
    "a variable is not one of a secret",
    "minimal",
    { secretEnvironment: [{ name: "LINEAGE_TIMEOUT", existingSecret: "a", key: "b" }] },
    "secretEnvironment.0.name",
  ],
])("the chart refuses, and says why: %s", (_, set, over, message) => {
  const { error, manifests } = render(set, over);
  expect(manifests).toEqual([]);
  expect(error).toContain(message);
});
