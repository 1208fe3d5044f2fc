import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { removed } from "#test/support/engines/directory.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tributary-permissions-"));
let all: ServiceProcess;
beforeAll(async () => {
  // Root gives the embedded server another account, which has to reach it.
  chmodSync(dataDir, 0o755);
  all = await startService({ service: "all", env: { DATA_DIR: dataDir } });
});
afterAll(async () => {
  await all?.terminate();
  await removed(dataDir);
});

const source = "//postgresql/host/permissions.example/databases/shop";

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${all.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

it("with its permissions a batch is applied that is read in a thread of its own", async () => {
  await post("/ingestion/datasources", { items: [{ catrn: source, name: "Shop" }] });
  const items = Array.from({ length: 2_000 }, (_, n) => ({
    catrn: `${source}/tables/t${n}`,
    name: `t${n}`,
    type: "TABLE",
    description: "x".repeat(200),
    dataset: { field_list: [] },
  }));
  const posted = await post("/ingestion/entities", { data_source_catrn: source, items });
  expect([posted.status, posted.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
});

it("with its permissions the explorer finds its files", async () => {
  for (const path of ["/api/explorer", "/api/explorer/swagger-ui.css"]) {
    const response = await fetch(`${all.url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect((await response.text()).length).toBeGreaterThan(100);
  }
});
