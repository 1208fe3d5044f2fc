import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//airflow/host/alerts";
const at = (name: string) => `${source}/${name}`;
const table = (name: string, ...columns: string[]) => ({
  catrn: at(name),
  name,
  type: "TABLE",
  dataset: {
    field_list: columns.map((column) => ({
      catrn: at(`${name}/${column}`),
      name: column,
      type: { type: "TYPE_INTEGER", is_nullable: false },
    })),
  },
});
const job = (...inputs: string[]) => ({
  catrn: at("job"),
  name: "job",
  type: "JOB",
  data_transformer: { inputs: inputs.map(at), outputs: [at("out")] },
});
const test = (name: string, ...datasets: string[]) => ({
  catrn: at(name),
  name,
  type: "JOB",
  data_quality_test: { suite_name: "s", dataset_list: datasets.map(at), expectation: {} },
});
const run = (of: string, kind: "job" | "test", n: number, status: string) => {
  const times = { start_time: `2024-01-01T00:00:00Z`, end_time: `2024-01-01T0${n}:00:00+01:00` };
  const part = kind === "job"
    ? { data_transformer_run: { transformer_catrn: at(of), status, ...times } }
    : { data_quality_test_run: { data_quality_test_catrn: at(of), status, ...times } };
  return { catrn: at(`${of}/runs/${n}`), name: `${of}-${n}`, type: "JOB_RUN", ...part };
};

interface Alert {
  id: number;
  type: string;
  status: string;
  alert_chunk_list: { description: string }[];
}

journey("alerts that ingestion detects", (client) => {
  const ingest = (...items: object[]) => client().ingest(source, ...items);
  const listed = async (name: string): Promise<Alert[]> =>
    await client().read(`/api/dataentities/${await client().id(at(name))}/alerts/list`);
  /** Alerts of an entity, newest first: `STATUS TYPE: chunk | chunk`, oldest chunk first. */
  const alerts = async (name: string) =>
    (await listed(name)).map(({ type, status, alert_chunk_list: chunks }) =>
      `${status} ${type}: ${chunks.map((chunk) => chunk.description).reverse().join(" | ")}`
    );
  const recorded = async (query: string, name: string) =>
    (await client().instance.test.db.query<{ type: string }>(query, [
      await client().id(at(name)),
    ])).map((row) => row.type);
  const events = (name: string) =>
    recorded("SELECT event_type AS type FROM alert_event WHERE entity_id = $1 ORDER BY id", name);
  const activity = (name: string) =>
    recorded(
      `SELECT event_type AS type FROM activity
        WHERE entity_id = $1 AND event_type LIKE '%ALERT%' ORDER BY id`,
      name,
    );

  it("a failed run raises one alert, however often it is posted, and a success ends it", async () => {
    await client().register(source);
    for (let i = 0; i < 3; i++) await ingest(job("a", "b"), run("job", "job", 1, "FAILED"));
    const first = "Job run job-1 ended with status FAILED";
    expect(await alerts("job")).toEqual([`OPEN FAILED_JOB: ${first}`]);
    expect((await client().read("/api/alerts/list")).length).toBe(1);
    await ingest(run("job", "job", 2, "BROKEN"), run("job", "job", 1, "FAILED"));
    const both = `${first} | Job run job-2 ended with status BROKEN`;
    expect(await alerts("job")).toEqual([`OPEN FAILED_JOB: ${both}`]);
    await ingest(run("job", "job", 3, "SUCCESS"));
    await ingest(run("job", "job", 1, "BROKEN"));
    expect(await alerts("job")).toEqual([`RESOLVED_AUTOMATICALLY FAILED_JOB: ${both}`]);
    expect(await events("job")).toEqual(["CREATED", "UPDATED", "RESOLVED_AUTOMATICALLY"]);
    expect(await activity("job"))
      .toEqual(["OPEN_ALERT_RECEIVED", "OPEN_ALERT_RECEIVED", "ALERT_STATUS_UPDATED"]);
  });

  it("a batch that only drops an input raises; another one stacks", async () => {
    await ingest(job("b"));
    await ingest(job());
    expect((await alerts("job"))[0]).toBe(
      `OPEN BACKWARDS_INCOMPATIBLE_SCHEMA: Missing source: ${at("a")} | Missing source: ${at("b")}`,
    );
  });

  it("a broken structure raises on the dataset and is not resolved by a later version", async () => {
    await ingest(table("orders", "id", "ref"));
    await ingest(table("orders", "id"));
    await ingest(table("orders", "id", "ref"));
    expect(await alerts("orders"))
      .toEqual(["OPEN BACKWARDS_INCOMPATIBLE_SCHEMA: Missing field: ref"]);
  });

  it("a failed test raises on each of its datasets", async () => {
    await ingest(table("left"), table("right"), test("equal", "left", "right"));
    await ingest(run("equal", "test", 1, "FAILED"));
    const text = "FAILED_DQ_TEST: Test run equal-1 ended with status FAILED";
    expect([await alerts("left"), await alerts("right")]).toEqual([[`OPEN ${text}`], [
      `OPEN ${text}`,
    ]]);
    await ingest(run("equal", "test", 2, "SUCCESS"));
    expect([await alerts("left"), await alerts("right")]).toEqual([
      [`RESOLVED_AUTOMATICALLY ${text}`],
      [`RESOLVED_AUTOMATICALLY ${text}`],
    ]);
  });

  it("a failed run raises though a batch of many parts brings it before its test", async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => table(`many/${i}`));
    await ingest(run("late", "test", 1, "FAILED"), ...many, table("far"), test("late", "far"));
    expect(await alerts("far"))
      .toEqual(["OPEN FAILED_DQ_TEST: Test run late-1 ended with status FAILED"]);
  });

  it("what a person halts is not raised, and what a person resolved stays so", async () => {
    const config = `/api/dataentities/${await client().id(at("job"))}/alert_config`;
    await client().put(config, { failed_job_halt_until: "2999-01-01T00:00:00Z" });
    await ingest(run("job", "job", 4, "FAILED"));
    expect(await alerts("job")).toHaveLength(2);
    await client().put(config, {});
    await ingest(run("job", "job", 5, "FAILED"));
    const [open] = await listed("job");
    await client().put(`/api/alerts/${open!.id}/status`, { status: "RESOLVED" });
    await ingest(job(), run("job", "job", 4, "FAILED"), run("job", "job", 5, "FAILED"));
    expect((await alerts("job"))[0])
      .toBe("RESOLVED FAILED_JOB: Job run job-5 ended with status FAILED");
    expect((await events("job")).slice(-2)).toEqual(["CREATED", "RESOLVED"]);
  });
});
