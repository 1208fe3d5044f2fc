import type { DemonstrationClient } from "./client.ts";

// The finance team's pipelines, which no collector knows: their scheduler and their dbt project report by OpenLineage, and
// read tables of the shop that a collector reports.

const shop = "postgres://shop-db.harbour.example:5432";
const finance = "postgres://finance-db.harbour.example:5432";
const airflow = "airflow-finance";
const dbt = "dbt-finance";
const dag = { namespace: airflow, name: "nightly_finance" };
const dbtRun = { namespace: dbt, name: "dbt-run-finance" };

type Name = { namespace: string; name: string };
type Event = Record<string, unknown>;

/** One thing that runs every night: minutes after two at which it begins, and that it takes. */
interface Step {
  job: Name;
  begins: number;
  takes: number;
  parent?: Name;
  job_facets?: Event;
  inputs?: Event[];
  outputs?: Event[];
}

const payouts = { namespace: shop, name: "shop.payments.payouts" };
const rates = { namespace: "s3://harbour-exports", name: "rates/daily" };
const rawPayouts = { namespace: finance, name: "finance.raw.payouts" };
const rawRates = { namespace: finance, name: "finance.raw.exchange_rates" };
const staged = { namespace: finance, name: "finance.staging.stg_payouts" };
const byCurrency = { namespace: finance, name: "finance.marts.payouts_by_currency" };

/** The facets of a table: columns with their types, and for each the columns that it is made from. */
function table(
  of: Record<string, [type: string, ...from: [Name, string][]]>,
  filter: Event[] = [],
) {
  const columns = Object.entries(of);
  const fields = Object.fromEntries(
    columns.map(([name, [, ...from]]) => [
      name,
      { inputFields: from.map(([table, field]) => ({ ...table, field })) },
    ]),
  );
  return {
    schema: { fields: columns.map(([name, [type]]) => ({ name, type })) },
    columnLineage: { fields, dataset: filter },
  };
}

const filteredBy = (of: Name, field: string) => ({
  ...of,
  field,
  transformations: [{ type: "INDIRECT", subtype: "FILTER" }],
});

const assertions = [
  { assertion: "not_null", column: "currency", name: "currency_is_known", success: true },
  { assertion: "freshness", name: "rates_are_of_today", success: false, severity: "warn" },
];

/** Of the table that others build on, and of the model that makes it. */
const ownership = { owners: [{ name: "team:finance", type: "MAINTAINER" }] };

const steps: Step[] = [
  { job: dag, begins: 0, takes: 31 },
  {
    job: { namespace: airflow, name: "nightly_finance.extract_payouts" },
    begins: 1,
    takes: 9,
    parent: dag,
    inputs: [payouts],
    outputs: [{
      ...rawPayouts,
      facets: table({
        id: ["bigint", [payouts, "id"]],
        amount: ["numeric", [payouts, "amount"]],
        provider: ["text", [payouts, "provider"]],
      }),
    }],
  },
  {
    job: { namespace: airflow, name: "nightly_finance.load_rates" },
    begins: 1,
    takes: 2,
    parent: dag,
    inputs: [rates],
    outputs: [{ ...rawRates, facets: table({ currency: ["text"], rate: ["numeric"] }) }],
  },
  { job: dbtRun, begins: 12, takes: 18, parent: dag },
  {
    job: { namespace: dbt, name: "finance.staging.stg_payouts" },
    begins: 13,
    takes: 4,
    parent: dbtRun,
    job_facets: { sql: { query: "select id, amount from raw.payouts where provider <> 'test'" } },
    inputs: [rawPayouts],
    outputs: [{
      ...staged,
      facets: table({
        id: ["bigint", [rawPayouts, "id"]],
        amount: ["numeric", [rawPayouts, "amount"]],
      }, [filteredBy(rawPayouts, "provider")]),
    }],
  },
  {
    job: { namespace: dbt, name: "finance.marts.payouts_by_currency" },
    begins: 18,
    takes: 7,
    parent: dbtRun,
    job_facets: {
      documentation: { description: "What payment providers transferred, in every currency" },
      ownership,
    },
    inputs: [staged, rawRates],
    outputs: [{
      ...byCurrency,
      facets: {
        ...table({
          currency: ["text", [rawRates, "currency"]],
          amount: ["numeric", [staged, "amount"], [rawRates, "rate"]],
        }),
        ownership,
      },
    }],
  },
  {
    job: { namespace: dbt, name: "finance.marts.payouts_by_currency.test" },
    begins: 26,
    takes: 3,
    parent: dbtRun,
    job_facets: { jobType: { processingType: "BATCH", integration: "DBT", jobType: "TEST" } },
    inputs: [{ ...byCurrency, inputFacets: { dataQualityAssertions: { assertions } } }],
  },
];

const dayMs = 86_400_000;

/** The events of the last three nights before `now` (milliseconds); those of one night are the same whenever they are made. */
export function events(now: number): Event[] {
  const lastNight = Math.floor((now - 3 * 3_600_000) / dayMs) * dayMs + 2 * 3_600_000;
  return [2, 1, 0].flatMap((nights) => {
    const night = lastNight - nights * dayMs;
    return steps.flatMap((step) => eventsOf(step, night));
  });
}

function eventsOf(step: Step, night: number): Event[] {
  const { job, begins, takes, parent, job_facets = {}, inputs = [], outputs = [] } = step;
  const event = (eventType: string, minutes: number) => ({
    eventType,
    eventTime: new Date(night + minutes * 60_000).toISOString(),
    producer: "https://harbour.example/finance",
    run: {
      runId: runId(job, night),
      facets: parent ? { parent: { job: parent, run: { runId: runId(parent, night) } } } : {},
    },
    job: { ...job, facets: job_facets },
    inputs,
    outputs,
  });
  return [event("START", begins), event("COMPLETE", begins + takes)];
}

/** The day and the number of the step, in the form of a UUID. */
function runId(job: Name, night: number): string {
  const day = new Date(night).toISOString().slice(0, 10).replaceAll("-", "");
  const step = steps.findIndex((one) => one.job.name === job.name);
  return `00000000-0000-7000-8000-${day}${String(step).padStart(4, "0")}`;
}

/** Posts the events; an API that takes none is passed over. */
export async function postOpenLineageEvents(
  client: DemonstrationClient,
  now: number,
  print: (line: string) => void,
): Promise<void> {
  const all = events(now);
  await client.ask("POST", "/api/v1/lineage/batch", all, [404]);
  print(`${all.length} OpenLineage events of a scheduler and a dbt project were sent.`);
}
