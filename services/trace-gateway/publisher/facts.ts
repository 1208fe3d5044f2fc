import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { resolveDatasets } from "#services/trace-gateway/datasets/resolve.ts";
import { type ComposedEntity, datasetOf, mapService, type SubjectFacts } from "./compose.ts";
import {
  brokersOf,
  edgesFrom,
  operationsOf,
  type Subject,
  subjectKey,
  versionsOf,
} from "./subjects.ts";
import type { PublisherDeps } from "./deps.ts";

/** Most edges, and most operations, of one entity; the oldest ones stay. */
export const maxEdges = 10_000;

/** The entities of these subjects, composed from all their edges as they are now. */
export async function mapSubjects(
  deps: PublisherDeps,
  subjects: Subject[],
): Promise<ComposedEntity[]> {
  const facts = await readFacts(deps, subjects);
  await reportBrokers(deps.db, facts);
  const refs = facts.flatMap(({ edges }) => edges.filter((e) => e.kind !== "call").map(datasetOf));
  const datasets = await resolveDatasets(deps.db, deps.config.datasets, refs);
  return facts.flatMap((fact) => mapService(fact, datasets));
}

/** Gives topics whose spans do not name a broker the address on which the spans of others agree. */
async function reportBrokers(db: Queryable, facts: SubjectFacts[]): Promise<void> {
  const key = (system: string | null, target: string | null) => JSON.stringify([system, target]);
  const lost = facts.flatMap(({ edges }) => edges).filter((e) => e.kind === "topic" && !e.address);
  const topics = new Map<string, { system: string; target: string }>();
  for (const { system, target } of lost) {
    if (system !== null && target !== null) topics.set(key(system, target), { system, target });
  }
  if (topics.size === 0) return;
  const brokers = await brokersOf(db, [...topics.values()]);
  const known = new Map(brokers.map((b) => [key(b.system, b.target), b.address]));
  for (const edge of lost) edge.address = known.get(key(edge.system, edge.target)) ?? null;
}

async function readFacts(deps: PublisherDeps, subjects: Subject[]): Promise<SubjectFacts[]> {
  const { db } = deps;
  const services = subjects.filter((s) => s.kind === "service");
  const edges = await edgesFrom(db, services, maxEdges + 1);
  const operations = await operationsOf(db, subjects, maxEdges + 1);
  const versions = await currentVersions(deps, services);
  const facts = new Map<string, SubjectFacts>();
  for (const subject of subjects) {
    const key = subjectKey(subject);
    const version = versions.get(key)?.current ?? null;
    facts.set(key, { subject, edges: [], operations: [], version });
  }
  for (const { n, ...edge } of edges) facts.get(subjectKey(services[n]!))!.edges.push(edge);
  for (const { n, operation } of operations) {
    facts.get(subjectKey(subjects[n]!))!.operations.push(operation);
  }
  const all = [...facts.values()];
  for (const fact of all) cutLarge(deps, fact);
  return all;
}

function cutLarge({ metrics, log }: PublisherDeps, fact: SubjectFacts): void {
  if (fact.edges.length <= maxEdges && fact.operations.length <= maxEdges) return;
  fact.edges.length = Math.min(fact.edges.length, maxEdges);
  fact.operations.length = Math.min(fact.operations.length, maxEdges);
  metrics.cut.inc();
  log.warn("service has more edges than an entity can hold", {
    ...fact.subject,
    retained: maxEdges,
  });
}

async function currentVersions(
  { db, clock }: PublisherDeps,
  services: Subject[],
): Promise<Map<string, Versions>> {
  if (services.length === 0) return new Map();
  const seen = new Map<string, string[]>();
  for (const { n, version } of await versionsOf(db, services)) {
    const key = subjectKey(services[n]!);
    seen.set(key, [...seen.get(key) ?? [], version]);
  }
  const stored = await readVersions(db, services);
  const changed: { subject: Subject; versions: Versions }[] = [];
  for (const subject of services) {
    const key = subjectKey(subject);
    const before = stored.get(key);
    const now = evaluateVersions(before, seen.get(key) ?? [], new Date(clock.now()));
    if (!now || now === before) continue;
    stored.set(key, now);
    changed.push({ subject, versions: now });
  }
  await writeVersions(db, changed);
  return stored;
}

/** What is known of the versions of one service. */
interface Versions {
  /** Oldest first. */
  known: string[];
  current: string;
  since: Date;
}

/** Milliseconds for which a version stands before one that was seen earlier may take its place. */
const settledMs = 60 * 60 * 1000;

/** Maximum number of versions that are remembered of a service. */
const maxKnown = 50;

const byNumber = new Intl.Collator("en", { numeric: true });

/**
 * Which version of a service its entity shows, `seen` being those on its edges. A version never seen
 * before is shown at once. One that was seen before returns only when the current one is on no edge
 * and has stood for an hour: so two versions that run side by side do not change the entity with
 * every span.
 */
function evaluateVersions(stored: Versions | undefined, seen: string[], now: Date) {
  const known = stored?.known ?? [];
  const fresh = seen.filter((v) => !known.includes(v)).sort(byNumber.compare);
  if (fresh.length > 0) {
    const all = [...known, ...fresh].slice(-maxKnown);
    return { known: all, current: fresh.at(-1)!, since: now };
  }
  if (!stored || seen.length === 0 || seen.includes(stored.current)) return stored;
  if (now.getTime() - stored.since.getTime() < settledMs) return stored;
  const latest = known.findLast((v) => seen.includes(v))!;
  return { known, current: latest, since: now };
}

const read = statement<Versions & { namespace: string; name: string }>("service-version-read")`
  SELECT v.namespace, v.name, v.known, v.current, v.since
    FROM unnest($1::text[], $2::text[]) AS s (namespace, name)
    JOIN service_version v USING (namespace, name)`;

/** By `subjectKey`. */
async function readVersions(
  db: Queryable,
  services: Subject[],
): Promise<Map<string, Versions>> {
  const rows = await db.query(read, [
    services.map((s) => s.namespace ?? ""),
    services.map((s) => s.name),
  ]);
  return new Map(
    rows.map(({ namespace, name, ...versions }) => [
      subjectKey({ kind: "service", namespace: namespace === "" ? null : namespace, name }),
      versions,
    ]),
  );
}

const write = statement("service-version-write")`
  INSERT INTO service_version (namespace, name, known, current, since)
  SELECT namespace, name, ARRAY(SELECT json_array_elements_text(known::json)), current, since
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
      AS v (namespace, name, known, current, since)
  ON CONFLICT (name, namespace) DO UPDATE
    SET known = excluded.known, current = excluded.current, since = excluded.since`;

async function writeVersions(
  db: Queryable,
  all: { subject: Subject; versions: Versions }[],
): Promise<void> {
  if (all.length === 0) return;
  await db.query(write, [
    all.map(({ subject }) => subject.namespace ?? ""),
    all.map(({ subject }) => subject.name),
    all.map(({ versions }) => JSON.stringify(versions.known)),
    all.map(({ versions }) => versions.current),
    all.map(({ versions }) => versions.since.toISOString()),
  ]);
}
