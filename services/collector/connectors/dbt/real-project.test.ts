import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import { buildByDbt } from "#test/support/openlineage/clients.ts";
import type { Connector, Item, Session } from "../../connector.ts";
import { type RecordedServer, recordedServer } from "../../testing/server.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { connectors } from "../all.ts";
import { readProject } from "./read.ts";
import { dbtSession } from "./testing/session.ts";

// The connector over what dbt itself has just written, with DuckDB as its warehouse.

type More = NonNullable<Parameters<typeof dbtSession>[0]>;

let folder: string;
let target: string;
let server: RecordedServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-dbt-"));
  target = await buildByDbt(folder);
  server = await recordedServer((_, path) => path.startsWith("/slow/") ? null : 404);
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const session = ({ settings, ...more }: More = {}) =>
  dbtSession({
    settings: { location: target, warehouse: "duckdb://shop.duckdb", ...settings },
    folders: [folder],
    ...more,
  });
const over = (more: More = {}) => session(more) as Session;

connectorConformance("dbt itself", () => ({
  connector: connectors.dbt as Connector,
  session: (more = {}) => over(more as More),
  failing: {
    "no manifest": () => over({ settings: { location: join(folder, "models") } }),
    "a folder that is not allowed": () => over({ settings: { location: "/etc" } }),
  },
  excluded: () => over({ settings: { exclude: ["*"] } }),
  slow: () => over({ settings: { location: `${server.url}/slow` }, statementTimeoutMs: 100 }),
}));

it("gives the lineage of the manifest that dbt wrote, no edge more and none less", async () => {
  const { parent_map: parents, nodes } = JSON.parse(
    readFileSync(join(target, "manifest.json"), "utf8"),
  ) as { parent_map: Record<string, string[]>; nodes: Record<string, { alias?: string }> };
  const items = new Map(
    itemsOf(await allOf(readProject(session()))).map((item): [string, Item] => [item.catrn, item]),
  );
  const jobOf = (id: string) =>
    items.get(`//dbt/projects/shop/${id.split(".")[0]}s/${id.slice(id.indexOf(".") + 1)}`);
  const tableOf = (id: string) => jobOf(id)!.data_transformer!.outputs[0]!;
  const models = Object.keys(parents).filter((id) => id.startsWith("model."));
  expect(models.length).toBeGreaterThan(1);
  for (const id of models) {
    expect([id, jobOf(id)!.data_transformer!.inputs.toSorted()]).toEqual([
      id,
      parents[id]!.map(tableOf).toSorted(),
    ]);
    expect(items.get(tableOf(id))).toMatchObject({ name: nodes[id]!.alias, type: "TABLE" });
  }
  const tests = Object.keys(parents).filter((id) => id.startsWith("test."));
  expect([...items.values()].filter(({ data_quality_test: test }) => test)).toHaveLength(
    tests.length,
  );
});
