import { afterEach, describe, expect, it } from "vitest";
import type { Finding, Item } from "../../connector.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import type { RecordedServer } from "../../testing/server.ts";
import { readAirflow } from "./read.ts";
import { airflowServer, airflowSession, recordedAnswers } from "./testing/server.ts";

let server: RecordedServer | undefined;
afterEach(() => server?.close());

type More = Parameters<typeof airflowSession>[1];

async function read(
  version: 2 | 3,
  answers: Map<string, unknown> = recordedAnswers(version),
  more: More = {},
): Promise<Finding[]> {
  server = await airflowServer(version, answers);
  return await allOf(readAirflow(airflowSession(server, more)));
}

const root = "//openlineage/namespaces/shop";
const jobOf = (name: string) => `${root}/jobs/${name}`;
const at = (findings: Finding[], catrn: string): Item =>
  itemsOf(findings).find((item) => item.catrn === catrn)!;

const orders = "//s3/cloud/aws/buckets/lake/keys/raw\\\\orders";
const table = "//postgresql/host/db.example/databases/shop/schemas/public/tables/orders";
const report = `${root}/datasets/x-report:%2F%2Fdaily%2Frevenue`;

describe.each([2, 3] as const)("a read of Airflow %i", (version) => {
  it("gives a DAG with its tasks, words, owners, tags and schedule", async () => {
    expect(at(await read(version), jobOf("shop_load"))).toMatchObject({
      name: "shop_load",
      type: "DAG",
      description: "Loads the orders of the shop",
      owners: [{ name: "Data Platform" }, { name: "ana" }],
      tags: [{ name: "daily" }, { name: "shop" }],
      metadata: [{ metadata: { schedule: "At 05:00", file: "/opt/airflow/dags/shop.py" } }],
      data_entity_group: {
        entities_list: ["check", "extract", "load"].map((task) => jobOf(`shop_load.${task}`)),
      },
    });
  });

  it("gives tasks the names of OpenLineage events, and leads from them to the datasets of their assets", async () => {
    const findings = await read(version);
    expect(at(findings, jobOf("shop_load.extract"))).toMatchObject({
      name: "shop_load.extract",
      type: "JOB",
      description: "Takes orders out of the shop",
      owners: [{ name: "Data Platform" }],
      metadata: [{ metadata: { operator: "PythonOperator", downstream_tasks: ["load"] } }],
      data_transformer: { inputs: [], outputs: [orders] },
    });
    expect(at(findings, jobOf("shop_load.load")).data_transformer!.outputs).toEqual([table]);
    expect(at(findings, jobOf("shop_report")).data_transformer!.inputs).toEqual([table]);
    expect(at(findings, jobOf("shop_report.parts")).owners).toEqual([]);
  });

  it("describes only assets that no other source does", async () => {
    const findings = await read(version);
    const datasets = itemsOf(findings).filter(({ dataset }) => dataset);
    expect(datasets.map(({ catrn }) => catrn)).toEqual([report]);
    expect(at(findings, jobOf("shop_report.draw")).data_transformer!.outputs).toEqual([report]);
  });

  it("gives the newest runs, and those of the tasks of the newest one", async () => {
    const runs = itemsOf(await read(version)).filter(({ type }) => type === "JOB_RUN");
    const ofDag = runs.filter(({ data_transformer_run: run }) =>
      run!.transformer_catrn === jobOf("shop_load")
    );
    expect(ofDag).toHaveLength(2);
    expect(ofDag[0]!.data_transformer_run).toMatchObject({ status: "FAILED" });
    const ofTask = runs.filter(({ data_transformer_run: run }) =>
      run!.transformer_catrn === jobOf("shop_load.check")
    );
    expect(ofTask).toHaveLength(1);
    expect(ofTask[0]!.name).toBe(ofDag[0]!.name);
  });

  it("asks for no more than is taken, so that memory stays flat", async () => {
    server = await airflowServer(version);
    const reading = readAirflow(airflowSession(server));
    const first = await reading.next();
    const second = await reading.next();
    expect([first.done, second.done]).toEqual([false, false]);
    expect(server.requests.filter((one) => one.includes("/tasks"))).toHaveLength(1);
    await reading.return(undefined);
  });

  it("reads no runs where none are wanted", async () => {
    const findings = await read(version, recordedAnswers(version), { settings: { runs: 0 } });
    expect(itemsOf(findings).filter(({ type }) => type === "JOB_RUN")).toEqual([]);
    expect(server!.requests.filter((one) => one.includes("dagRuns"))).toEqual([]);
  });

  it("names a DAG whose tasks cannot be read, and goes on", async () => {
    const answers = recordedAnswers(version);
    const path = `/api/v${version - 1}/dags/shop_load/tasks`;
    answers.set(path, 500);
    const findings = await read(version, answers);
    expect(findings.filter(({ kind }) => kind === "problem")).toEqual([{
      kind: "problem",
      problem: {
        object: "DAG shop_load",
        reason: "the server answers with status 500",
        remedy: expect.any(String),
      },
    }]);
    expect(at(findings, jobOf("shop_report"))).toBeDefined();
    await server!.close();
    answers.set(path, { tasks: [{ task_id: 7 }] });
    expect(JSON.stringify(await read(version, answers))).toContain("its tasks cannot be read");
  });

  it("asks for further pages, and gives a DAG once that two of them hold", async () => {
    const list = `/api/v${version - 1}/dags`;
    const { dags } = recordedAnswers(version).get(list) as { dags: unknown[] };
    const answers = recordedAnswers(version).set(list, { dags, total_entries: 5 });
    const findings = await read(version, answers);
    expect(itemsOf(findings).filter(({ type }) => type === "DAG")).toHaveLength(3);
    const pages = server!.requests.filter((one) => one.includes(`${list}?`));
    expect(pages.map((one) => /offset=(\d+)/.exec(one)![1])).toEqual(["0", "3"]);
  });

  it("takes the credentials that this version wants, or a token", async () => {
    const token = new Map([["token", "s3cret-token-of-airflow"]]);
    const more: More = { secrets: token, settings: { user: undefined } };
    expect(await read(version, recordedAnswers(version), more)).toHaveLength(
      (await (server!.close(), read(version))).length,
    );
    const signIns = server!.requests.filter((one) => one.includes("/auth/token"));
    expect(signIns).toHaveLength(version === 3 ? 1 : 0);
  });
});
