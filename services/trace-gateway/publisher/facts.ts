import type { Queryable } from "#metadata/postgres/database.ts";
import { resolveDatasets } from "#services/trace-gateway/datasets/resolve.ts";
import { type ComposedEntity, datasetOf, mapService, type SubjectFacts } from "./compose.ts";
import { brokersOf, edgesFrom, operationsOf, versionsOf } from "./edges.queries.ts";
import { type Subject, subjectKey } from "./names.ts";
import type { PublisherDeps } from "./deps.ts";
import { evaluateVersions, readVersions, type Versions, writeVersions } from "./versions.ts";

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
