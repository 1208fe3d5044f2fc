import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { exposureOf } from "#platform/config/exposure.ts";
import { configKeys } from "#platform/config/keys.ts";
import { loadConfig } from "#platform/config/load.ts";
import { composeServices } from "../compose.ts";
import { isRead } from "../services.mjs";
import { helmPrograms } from "./install.mjs";
import {
  type Container,
  containersOf,
  lint,
  type Manifest,
  named,
  render,
  validate,
  valueSets,
} from "./render.ts";

/** The first run builds helm, which takes minutes. */
beforeAll(() => void helmPrograms());

/** Plausible values of what comes from secrets, where any text would not do. */
const secrets: Record<string, string> = {
  METADATA_POSTGRES_URL: "postgres://tributary:opensesame@db.example/tributary?sslmode=verify-full",
  CACHE_REDIS_URL: "rediss://:opensesame@redis.example:6379",
  NOTIFICATIONS_RECEIVERS_CHAT_URL: "https://chat.example/hooks/1",
  AUTH_LOGIN_FORM_CREDENTIALS: "ada:$2b$12$nUxKIjLQLIiPY1tNuounmu.ozhUmIIYmsvrAc/QBeWozjhzOTN2TK",
  CONNECTIONS_SECRET_KEY: btoa("0123456789abcdef0123456789abcdef"),
};

/** The environment of a container as its process sees it. */
function environmentOf({ env }: Container): Record<string, string> {
  const long = "a-secret-of-more-than-thirty-two-characters";
  return Object.fromEntries(env.map(({ name, value }) => [name, value ?? secrets[name] ?? long]));
}

/** The configuration that a container starts with. Throws for an unknown key or a wrong value. */
function configOf(container: Container, manifests: Manifest[]) {
  const folder = mkdtempSync(join(tmpdir(), "tributary-chart-"));
  const file = join(folder, "tributary.yaml");
  const maps = manifests.filter(({ kind, data }) =>
    kind === "ConfigMap" && data?.["tributary.yaml"]
  );
  writeFileSync(file, maps[0]!.data!["tributary.yaml"]!);
  try {
    return loadConfig({ env: { ...environmentOf(container), TRIBUTARY_CONFIG: file } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const mebibytes = (quantity: string) =>
  Number.parseInt(quantity) * (quantity.endsWith("Gi") ? 1_024 : 1);

describe.each(valueSets)("the chart with the values %s", (set) => {
  let manifests: Manifest[];
  let containers: Record<string, Container>;
  let services: Container[];
  beforeAll(() => {
    const rendered = render(set);
    expect(rendered.error).toBe("");
    manifests = rendered.manifests;
    containers = containersOf(manifests);
    services = Object.values(containers).filter(({ name }) => name !== "migrate");
  });

  it("passes the strict lint of helm", () => expect(lint(set)).toBe(""));

  it("is valid for Kubernetes and the Prometheus operator", () => {
    const { valid, invalid } = validate(set);
    expect(invalid).toEqual([]);
    expect(valid).toBe(manifests.length);
  });

  it("starts each service as docker-compose.yml does", () => {
    const compose = composeServices();
    for (const { name, args } of services) expect(args).toEqual(compose[name]!.command);
  });

  it("sets only keys of the configuration, with values that a process accepts", () => {
    for (const container of Object.values(containers)) {
      const config = configOf(container, manifests);
      expect(exposureOf(config, [container.name]).refused).toEqual([]);
      expect(config.server.hosts).toContain(
        named(manifests, "Service").api!.metadata.name,
      );
    }
  });

  it("sets only variables that the process may read", () => {
    const runtime = ["DENO_V8_FLAGS"];
    const allowed = new Set([
      ...configKeys().map(({ env }) => env),
      ...["TRIBUTARY_CONFIG", "LOG_FORMAT", "LOG_LEVEL", ...runtime],
    ]);
    for (const { name: container, env } of Object.values(containers)) {
      for (const { name } of env) {
        const isSource = container === "collector" && name.startsWith("SOURCE_SECRET_");
        const isChosen = /^(AUTH_OAUTH2_CLIENT|OTEL)_/.test(name);
        expect([name, allowed.has(name) || isSource || isChosen]).toEqual([name, true]);
        expect([name, runtime.includes(name) || isSource || isRead(name)]).toEqual([name, true]);
      }
    }
  });

  it("takes every secret by reference, and puts none into a ConfigMap", () => {
    const isSecret = /PASSWORD|TOKEN|SECRET|CREDENTIALS|ACCESS_KEY|(POSTGRES|REDIS|CHAT)_URL$/;
    for (const { env } of Object.values(containers)) {
      const plain = env.filter(({ name, valueFrom }) => isSecret.test(name) && !valueFrom);
      expect(plain).toEqual([]);
    }
    expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  });

  it("confines every container", () => {
    for (const { kind, spec } of manifests) {
      if (kind !== "Deployment" && kind !== "Job") continue;
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("limits the heap below the memory of the container", () => {
    for (const { env, resources } of services) {
      const flag = env.find(({ name }) => name === "DENO_V8_FLAGS")!.value!;
      const heap = Number(/^--max-old-space-size=(\d+)$/.exec(flag)![1]);
      expect(heap).toBeGreaterThanOrEqual(256);
      expect(heap * 1.5).toBeLessThan(mebibytes(resources.limits.memory!));
    }
  });

  it("asks each service for its life and its readiness, with time to start", () => {
    for (const container of services) {
      const { startupProbe, livenessProbe, readinessProbe } = container;
      const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) =>
        httpGet.path
      );
      expect(paths).toEqual(["/health/live", "/health/live", "/health/ready"]);
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(
        180,
      );
    }
  });

  it("sends what goes to a Service to pods that listen there", () => {
    const ports = (container: Container) =>
      container.ports.map(({ name }: { name: string }) => name);
    for (const [name, { spec }] of Object.entries(named(manifests, "Service"))) {
      if (name === "closed") continue;
      const targets = spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort);
      expect(targets).toEqual(ports(containers[name]!));
      const pods = named(manifests, "Deployment")[name]!.spec.template.metadata.labels;
      expect(pods).toMatchObject(spec.selector);
    }
  });
});
