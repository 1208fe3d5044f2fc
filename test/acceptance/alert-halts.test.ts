import { expect, it } from "vitest";
import { haltKeys } from "#contract/catalogue/alerts.ts";
import { type Client, journey } from "#test/acceptance/client.ts";

const source = "//airflow/host/halts";

/** Something that raises an alert on the dataset or job `x`. */
interface Source {
  halt: (typeof haltKeys)[number];
  name: string;
  /** What there is before. */
  before: (x: string) => object[];
  raise: (client: Client, x: string) => Promise<unknown>;
}

const field = (x: string, type: string) => ({
  catrn: `${x}/a`,
  name: "a",
  type: { type, is_nullable: true },
});
const table = (x: string, ...types: string[]) => ({
  catrn: x,
  name: "x",
  type: "TABLE",
  dataset: { field_list: types.map((type) => field(x, type)) },
});
const job = (x: string, ...inputs: string[]) => ({
  catrn: x,
  name: "x",
  type: "JOB",
  data_transformer: { inputs, outputs: [] },
});
const test = (x: string) => ({
  catrn: `${x}/test`,
  name: "test",
  type: "JOB",
  data_quality_test: { suite_name: "s", dataset_list: [x], expectation: {} },
});
const run = (x: string, part: object) => ({
  catrn: `${x}/run`,
  name: "run",
  type: "JOB_RUN",
  ...part,
});
const failed = {
  status: "FAILED",
  start_time: "2024-01-01T00:00:00Z",
  end_time: "2024-01-01T01:00:00Z",
};
const tested = (x: string) =>
  run(x, { data_quality_test_run: { data_quality_test_catrn: `${x}/test`, ...failed } });
const ingest = (...items: ((x: string) => object)[]) => (client: Client, x: string) =>
  client.ingest(source, ...items.map((item) => item(x)));
const route = (path: string) => async (client: Client, x: string) => {
  const alert = { status: "firing", labels: { alertname: "Low", entity_catrn: x } };
  const answer = await client.post(`/ingestion/alert/${path}`, { alerts: [alert] });
  expect(answer.status).toBe(200);
};

const sources: Source[] = [
  {
    halt: "failed_job_halt_until",
    name: "a run of a job",
    before: (x) => [job(x)],
    raise: ingest((x) => run(x, { data_transformer_run: { transformer_catrn: x, ...failed } })),
  },
  {
    halt: "failed_dq_test_halt_until",
    name: "a run of a test",
    before: (x) => [table(x), test(x)],
    raise: ingest(tested),
  },
  {
    halt: "failed_dq_test_halt_until",
    name: "a test that comes after its run",
    before: (x) => [table(x), tested(x)],
    raise: ingest(test),
  },
  {
    halt: "incompatible_schema_halt_until",
    name: "a field that is gone",
    before: (x) => [table(x, "TYPE_STRING")],
    raise: ingest((x) => table(x)),
  },
  {
    halt: "incompatible_schema_halt_until",
    name: "a field of another type",
    before: (x) => [table(x, "TYPE_STRING")],
    raise: ingest((x) => table(x, "TYPE_INTEGER")),
  },
  {
    halt: "incompatible_schema_halt_until",
    name: "an input that is gone",
    before: (x) => [job(x, `${x}/in`)],
    raise: ingest((x) => job(x)),
  },
  ...["alertmanager", "alertrouter"].map((path): Source => ({
    halt: "distribution_anomaly_halt_until",
    name: `an alert posted to ${path}`,
    before: (x) => [table(x)],
    raise: route(path),
  })),
];

journey("alerts that are halted on an entity", (client) => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  let n = 0;

  it("covers every kind of halt", async () => {
    await client().register(source);
    expect([...new Set(sources.map(({ halt }) => halt))].sort()).toEqual([...haltKeys].sort());
  });

  it.each(sources)("are not raised by $name", async ({ halt, before, raise }) => {
    const outcome = async (halts: Partial<Record<string, string>>) => {
      const x = `${source}/x${n++}`;
      await client().register(source);
      await client().ingest(source, ...before(x));
      const id = await client().id(x);
      const set = await client().put(`/api/dataentities/${id}/alert_config`, halts);
      expect(set.status).toBe(200);
      await raise(client(), x);
      return (await client().read(`/api/dataentities/${id}/alerts/list`)).length;
    };
    const others = haltKeys.filter((key) => key !== halt);
    expect({
      halted: await outcome({ [halt]: inAnHour() }),
      over: await outcome({ [halt]: "2024-01-01T00:00:00Z" }),
      others: await outcome(Object.fromEntries(others.map((key) => [key, inAnHour()]))),
    }).toEqual({ halted: 0, over: 1, others: 1 });
  });
});
