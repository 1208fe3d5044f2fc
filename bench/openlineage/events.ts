/** An event as a producer posts it. */
export type Event = Record<string, unknown>;

/** Events of one namespace of jobs, and what the catalogue must hold once they are applied. */
export interface EventFixture {
  namespace: string;
  events: Event[];
  /** CATRNs of jobs and datasets. */
  entities: string[];
  /** CATRNs of runs, all of them SUCCESS in the end. */
  runs: string[];
}

const server = "postgres://warehouse.example:5432";
const columns = 10;

let nextRun = 1;

const runIdOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const catrnOf = (table: string) =>
  `//postgresql/host/warehouse.example/databases/shop/schemas/public/tables/${table}`;
const jobPrefix = (namespace: string) => `//openlineage/namespaces/${namespace}/jobs/`;

/**
 * One new run of each of some jobs, two events a run: each job reads two tables of its namespace and writes one
 * of its own. With another namespace everything is new, with the same one the runs alone.
 */
export function runsOf(namespace: string, jobs: number): EventFixture {
  const fixture: EventFixture = { namespace, events: [], entities: [], runs: [] };
  const begun = Date.now();
  for (let n = 0; n < jobs; n++) {
    const [name, runId] = [`load.orders_${n}`, runIdOf(nextRun++)];
    const inputs = [table(`${namespace}_in_${n % 20}`), table(`${namespace}_in_${(n + 7) % 20}`)];
    const output = table(`${namespace}_out_${n}`);
    const event = (eventType: string, at: number): Event => ({
      eventType,
      eventTime: new Date(at).toISOString(),
      producer: "https://github.com/OpenLineage/OpenLineage/tree/1.37.0/integration/airflow",
      schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
      run: { runId, facets: {} },
      job: { namespace, name, facets: jobFacets(name) },
      inputs,
      outputs: [output],
    });
    fixture.events.push(event("START", begun - 1_000), event("COMPLETE", begun));
    const catrn = `${jobPrefix(namespace)}${name}`;
    fixture.entities.push(catrn, ...[...inputs, output].map((each) => catrnOf(tableName(each))));
    fixture.runs.push(`${catrn}/runs/${runId}`);
  }
  fixture.entities = [...new Set(fixture.entities)];
  return fixture;
}

/** The bodies of requests with so many events each; one event goes by itself. */
export function bodiesOf(events: Event[], each: number): string[] {
  if (each === 1) return events.map((event) => JSON.stringify(event));
  const bodies: string[] = [];
  for (let at = 0; at < events.length; at += each) {
    bodies.push(JSON.stringify(events.slice(at, at + each)));
  }
  return bodies;
}

interface Table {
  namespace: string;
  name: string;
  facets: Record<string, unknown>;
}

const tableName = ({ name }: Table) => name.split(".").at(-1)!;

function table(name: string): Table {
  const fields = Array.from({ length: columns }, (_, n) => ({
    name: `column_${n}`,
    type: n === 0 ? "bigint" : "varchar(255)",
    description: `Column ${n} of the table`,
  }));
  return { namespace: server, name: `shop.public.${name}`, facets: { schema: { fields } } };
}

function jobFacets(name: string): Record<string, unknown> {
  return {
    jobType: { processingType: "BATCH", integration: "AIRFLOW", jobType: "TASK" },
    documentation: { description: `Loads the orders of the shop: ${name}` },
    sql: { query: `INSERT INTO ${name} SELECT * FROM orders JOIN items USING (order_id)` },
  };
}
