import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import { type AirflowServer, startAirflow } from "#test/support/sources/airflow.ts";
import type { Connector, Item, Session } from "../../connector.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { connectors } from "../all.ts";
import { checkAirflow } from "./check.ts";
import { readAirflow } from "./read.ts";
import { airflowSession, failingSessions } from "./testing/server.ts";

// The connector against Airflow 3 itself; that of Airflow 2 is recorded.

type More = NonNullable<Parameters<typeof airflowSession>[1]>;

let server: AirflowServer;
let silent: Server;
beforeAll(async () => {
  server = await startAirflow();
  silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  silent?.close();
  await server?.stop();
});

const session = ({ settings, ...more }: More = {}) =>
  airflowSession(server, {
    settings: { url: server.url, user: server.user, ...settings },
    secrets: new Map([["password", server.password]]),
    ...more,
  });
const over = (more: More = {}) => session(more) as Session;
const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

connectorConformance("Airflow itself", () => ({
  connector: connectors.airflow as Connector,
  session: (more = {}) => over(more as More),
  failing: failingSessions(over, () => server.url),
  excluded: () => over({ settings: { exclude: ["*"] } }),
  slow: () => over({ settings: { url: silentUrl() }, statementTimeoutMs: 200 }),
}));

const jobOf = (name: string) => `//openlineage/namespaces/shop/jobs/${name}`;
const table = "//postgresql/host/db.example/databases/shop/schemas/public/tables/orders";

describe("a read of Airflow itself", () => {
  let items: Map<string, Item>;
  beforeAll(async () => {
    const all = itemsOf(await allOf(readAirflow(session())));
    items = new Map(all.map((item) => [item.catrn, item]));
  });

  it("gives DAGs with tasks, words, owners, tags and schedule", () => {
    const dags = [...items.values()].filter(({ type }) => type === "DAG");
    expect(dags.map(({ name }) => name)).toEqual(["empty.dag-1", "shop_load", "shop_report"]);
    expect(items.get(jobOf("shop_load"))).toMatchObject({
      description: "Loads the orders of the shop",
      owners: [{ name: "Data Platform" }, { name: "ana" }],
      tags: [{ name: "daily" }, { name: "shop" }],
      metadata: [{ metadata: { schedule: "At 05:00" } }],
      data_entity_group: {
        entities_list: ["check", "extract", "load"].map((task) => jobOf(`shop_load.${task}`)),
      },
    });
  });

  it("leads from tasks to the datasets of their assets, and from those to the DAGs that they start", () => {
    const outputs = (task: string) => items.get(jobOf(task))!.data_transformer!.outputs;
    expect(outputs("shop_load.extract")).toEqual([
      "//s3/cloud/aws/buckets/lake/keys/raw\\\\orders",
    ]);
    expect(outputs("shop_load.load")).toEqual([table]);
    expect(items.get(jobOf("shop_report"))!.data_transformer!.inputs).toEqual([table]);
  });

  it("gives the run of a DAG and of its tasks", () => {
    const runs = [...items.values()].filter(({ type }) => type === "JOB_RUN");
    const of = (job: string) =>
      runs.flatMap(({ data_transformer_run: run }) =>
        run!.transformer_catrn === jobOf(job) ? run!.status : []
      );
    expect(of("shop_load")).toEqual(["SUCCESS"]);
    expect(of("shop_load.extract")).toEqual(["SUCCESS"]);
    expect(of("shop_load.check")).toEqual(["SUCCESS"]);
  });

  it("tells in its check what it reaches", async () => {
    expect(await checkAirflow(session())).toMatchObject([
      { name: "Connect", outcome: "OK", detail: expect.stringMatching(/^Airflow 3\./) },
      { name: "DAGs", outcome: "OK", detail: "3 dags" },
      { name: "Assets", outcome: "OK", detail: "3 assets" },
    ]);
  });
});
