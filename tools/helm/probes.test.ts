import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notifierService } from "#services/notifier/service.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

const templates = "ops/helm/tributary/templates";
const text = readdirSync(templates).map((file) => readFileSync(join(templates, file), "utf8"))
  .join("\n");

/** Paths that Kubernetes and Prometheus request of each pod. */
const paths = [
  ...new Set(
    [...text.matchAll(/(?:httpGet: \{ |^ +)path: (\/[a-z/]+)\b/gm)].map(([, path]) => path!),
  ),
];

describe("paths that the Helm chart names, on a process with one service", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance("embedded", { services: [notifierService] });
  });
  afterAll(() => instance?.stop());

  it("are those of life, readiness and metrics", () =>
    expect(paths.sort()).toEqual(["/health/live", "/health/ready", "/metrics"]));

  it.each(paths)("answers %s by the address of the pod", (path) =>
    eventually(async () => {
      const { status } = await instance.send("GET", path);
      expect(status).toBe(200);
    }));
});
