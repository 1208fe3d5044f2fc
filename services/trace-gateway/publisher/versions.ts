import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type Subject, subjectKey } from "./names.ts";

/** What is known of the versions of one service. */
export interface Versions {
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
export function evaluateVersions(stored: Versions | undefined, seen: string[], now: Date) {
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
export async function readVersions(
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

export async function writeVersions(
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
