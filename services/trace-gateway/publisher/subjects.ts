import type { Queryable } from "#metadata/postgres/database.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import { segment } from "#platform/naming/text.ts";

/** A service that exports traces, or a host that is called and does not. */
export interface Subject {
  kind: "service" | "host";
  namespace: string | null;
  name: string;
}

/**
 * CATRN of a service or of a host that is called:
 * `//microservice/namespaces/{namespace}/services/{name}`, without a namespace
 * `//microservice/services/{name}`, and `//microservice/hosts/{host}`.
 */
export function subjectCatrn({ kind, namespace, name }: Subject): string {
  if (kind === "host") return `//microservice/hosts/${segment(name)}`;
  return namespace === null
    ? `//microservice/services/${segment(name)}`
    : `//microservice/namespaces/${segment(namespace)}/services/${segment(name)}`;
}

/** CATRN of an operation that a service or host serves: `{subject}/calls/{operation}`. */
export function callCatrn(of: Subject, operation: string): string {
  return `${subjectCatrn(of)}/calls/${segment(operation)}`;
}

/** CATRN of the group of all operations that a service or host serves: `{subject}/api`. */
export function apiCatrn(of: Subject): string {
  return `${subjectCatrn(of)}/api`;
}

/** One text for each subject, for maps. */
export function subjectKey({ kind, namespace, name }: Subject): string {
  return JSON.stringify([kind, namespace, name]);
}

/** What a service calls, reads, writes, produces or consumes. */
export type EdgeRow = {
  /** Index of the requested subject. */
  n: number;
  kind: "call" | "database" | "topic";
  peer_kind: "service" | "host" | null;
  peer_namespace: string | null;
  peer_name: string | null;
  operation: string | null;
  system: string | null;
  address: string | null;
  database: string | null;
  target: string | null;
  access: "read" | "write" | null;
};

const requestedSubjects =
  "unnest($1::text[], $2::text[]) WITH ORDINALITY AS s (namespace, name, n)";

// Not in the order of the primary key, or the planner would rather read the whole table in that order
// than a service's edges by their index.
const outgoing = statement<EdgeRow>("service-edges-from")`
  SELECT s.n - 1 AS n, e.*
    FROM ${requestedSubjects} CROSS JOIN LATERAL (
      SELECT kind, peer_kind, peer_namespace, peer_name, operation, system, address, database,
             target, access
        FROM service_edge
       WHERE service_name = s.name AND service_namespace IS NOT DISTINCT FROM s.namespace
       ORDER BY id + 0 LIMIT $3) e`;

/** Edges whose caller is one of these services, or that it has with data; oldest first. */
export function edgesFrom(db: Queryable, services: Subject[], limit: number): Promise<EdgeRow[]> {
  return db.query(outgoing, [...columnsOf(services, "namespace", "name"), limit]);
}

const served = statement<{ n: number; operation: string }>("service-operations")`
  SELECT s.n - 1 AS n, e.operation
    FROM unnest($1::text[], $2::text[], $4::text[]) WITH ORDINALITY AS s (namespace, name, kind, n)
    CROSS JOIN LATERAL (
      SELECT DISTINCT operation FROM service_edge
       WHERE peer_name = s.name AND peer_kind = s.kind
         AND peer_namespace IS NOT DISTINCT FROM s.namespace AND operation IS NOT NULL
       ORDER BY operation LIMIT $3) e`;

/** Operations that somebody calls of each of these subjects, by name. */
export function operationsOf(db: Queryable, subjects: Subject[], limit: number) {
  const [namespaces, names, kinds] = columnsOf(subjects, "namespace", "name", "kind");
  return db.query(served, [namespaces, names, limit, kinds]);
}

const versions = statement<{ n: number; version: string }>("service-versions")`
  SELECT s.n - 1 AS n, v.version
    FROM ${requestedSubjects} CROSS JOIN LATERAL (
      SELECT service_version AS version FROM service_edge
       WHERE service_name = s.name AND service_namespace IS NOT DISTINCT FROM s.namespace
      UNION
      SELECT peer_version FROM service_edge
       WHERE peer_kind = 'service' AND peer_name = s.name
         AND peer_namespace IS NOT DISTINCT FROM s.namespace) v
   WHERE v.version IS NOT NULL`;

/** Versions that stand on the edges of these services, each once. */
export function versionsOf(db: Queryable, services: Subject[]) {
  return db.query(versions, columnsOf(services, "namespace", "name"));
}

const brokers = statement<{ system: string; target: string; address: string }>("service-brokers")`
  SELECT t.system, t.target, min(e.address) AS address
    FROM unnest($1::text[], $2::text[]) AS t (system, target)
    JOIN service_edge e ON e.kind = 'topic' AND e.system = t.system AND e.target = t.target
   WHERE e.address IS NOT NULL
   GROUP BY t.system, t.target HAVING count(DISTINCT e.address) = 1`;

/** Where these topics are by the spans that name it, as far as they agree. */
export function brokersOf(db: Queryable, topics: { system: string; target: string }[]) {
  return db.query(brokers, columnsOf(topics, "system", "target"));
}

const expire = statement("service-edges-expire")`
  WITH gone AS (
    SELECT id FROM service_edge WHERE last_seen < $1
     ORDER BY last_seen LIMIT $2 FOR UPDATE SKIP LOCKED)
  DELETE FROM service_edge e USING gone WHERE e.id = gone.id RETURNING e.id`;

/** Deletes at most `limit` edges that were last seen before `before`; how many. */
export async function expireEdges(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(expire, [before.toISOString(), limit])).length;
}
