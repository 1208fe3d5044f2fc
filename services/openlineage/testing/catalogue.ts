import { type EventInput, type Harness, uuid } from "./harness.ts";

let next = 1;

/** A namespace of jobs that no other test has. */
export const ns = () => `jobs${next++}`;
/** The namespace of a PostgreSQL server, and the CATRN of a table there. */
export const pg = (n: string) => `postgres://db${n}:5432`;
export const tableOf = (n: string, name: string) =>
  `//postgresql/host/db${n}/databases/shop/schemas/public/tables/${name}`;
/** The facet of these columns. */
export const columns = (...names: string[]) => ({
  schema: { fields: names.map((name) => ({ name, type: "int" })) },
});
export const jobOf = (namespace: string, name = "load") =>
  `//openlineage/namespaces/${namespace}/jobs/${name}`;

/** The nth run of a namespace. */
export function runIdOf(namespace: string, n: number): string {
  const flood = namespace.startsWith("flood") ? 500 : 0;
  return uuid(Number(/\d+$/.exec(namespace)![0]) * 1_000 + flood + n);
}

/** An event of a run; `n` which run, `name` which job, `facets` of the run, `job` facets of the job. */
export function run(namespace: string, eventType: string, more: EventInput = {}): EventInput {
  const { name = "load", n = 1, runId = runIdOf(namespace, n as number), facets, job, ...rest } =
    more as Record<string, never>;
  return {
    eventType,
    run: { runId, facets: facets ?? {} },
    job: { namespace, name, facets: job ?? {} },
    ...rest,
  };
}

/** What the catalogue shows. */
export function shownBy(h: () => Harness) {
  const statusOf = (catrn: string) =>
    h().rows<{ status: string; source: string; hollow: boolean }>(
      `SELECT is_live(e.status)::text AS status, s.catrn AS source, e.hollow
         FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id WHERE e.catrn = $1`,
      catrn,
    );

  const edges = (job: string) =>
    h().rows<{ parent: string; child: string }>(
      `SELECT p.catrn AS parent, c.catrn AS child FROM lineage_edge l
         JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
         JOIN data_entity e ON e.id = l.establisher_id WHERE e.catrn = $1 ORDER BY p.catrn DESC`,
      job,
    );

  const runs = (job: string) =>
    h().rows<{ status: string }>(
      `SELECT r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE e.catrn = $1 ORDER BY r.catrn`,
      job,
    );

  const fieldsOf = async (catrn: string) =>
    (await h().rows<{ name: string }>(
      `SELECT f.name FROM dataset_field f JOIN data_entity e ON e.id = f.dataset_id
        WHERE e.catrn = $1 ORDER BY f.name`,
      catrn,
    )).map(({ name }) => name);

  const latestFields = async (catrn: string) =>
    (await h().rows<{ name: string }>(
      `SELECT f.name FROM data_entity e, latest_fields(ARRAY[e.id]) l
         JOIN dataset_field f ON f.id = l.field_id WHERE e.catrn = $1 ORDER BY f.name`,
      catrn,
    )).map(({ name }) => name);

  const alerts = (catrn: string) =>
    h().rows<{ open: boolean }>(
      `SELECT a.status = 1 AS open FROM alert a JOIN data_entity e ON e.id = a.entity_id
        WHERE e.catrn = $1`,
      catrn,
    );
  return { statusOf, edges, runs, fieldsOf, latestFields, alerts };
}
