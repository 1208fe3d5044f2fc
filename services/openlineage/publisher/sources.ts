import { countAlone } from "#metadata/catalogue/counted.ts";
import { statement } from "#metadata/postgres/statement.ts";
import {
  namespaceCatrn,
  openLineageRoot,
  otherNamespacesCatrn,
} from "#platform/naming/openlineage/catrns.ts";
import type { PublisherDeps } from "./deps.ts";

const storedSources = statement<{ catrn: string }>("ol-sources-held")`
  SELECT catrn FROM data_source WHERE catrn = ANY($1::text[])`;

const counted = statement<{ count: number }>("ol-sources-count")`
  SELECT count(*)::int AS count FROM data_source WHERE starts_with(catrn, $1)`;

const made = statement("ol-sources-make")`
  INSERT INTO data_source (catrn, name, description)
  SELECT catrn, name, 'Jobs, runs and datasets reported by OpenLineage events'
    FROM unnest($1::text[], $2::text[]) AS s (catrn, name) ORDER BY catrn
  ON CONFLICT (catrn) DO NOTHING`;

/** Longest name of a data source that is made of a namespace, in characters. */
const maxName = 200;

/**
 * The data source of each namespace, registered if it is not there yet. Beyond `openlineage.max-namespaces`
 * further ones share one, which an intake warning reports.
 */
export async function ensureSources(
  { db, config, intakeWarnings }: Pick<PublisherDeps, "db" | "config" | "intakeWarnings">,
  namespaces: string[],
): Promise<Map<string, string>> {
  const wanted = new Map(namespaces.map((namespace) => [namespace, namespaceCatrn(namespace)]));
  const known = new Set(
    (await db.query(storedSources, [[...new Set(wanted.values())]])).map(({ catrn }) => catrn),
  );
  const missing = new Map([...wanted].filter(([, catrn]) => !known.has(catrn)));
  if (missing.size === 0) return wanted;
  const shared = await db.transaction(async (tx) => {
    await countAlone(tx, "data sources of OpenLineage");
    const [row] = await tx.query(counted, [openLineageRoot]);
    const capacity = Math.max(0, config["max-namespaces"] - row!.count);
    const own = [...missing].slice(0, capacity);
    const rest = [...missing.keys()].slice(capacity);
    const sources = own.map(([namespace, catrn]) => ({ catrn, name: namespace }));
    if (rest.length > 0) sources.push({ catrn: otherNamespacesCatrn, name: "other namespaces" });
    const names = sources.map(({ name }) => `OpenLineage ${name}`.slice(0, maxName).toWellFormed());
    await tx.query(made, [sources.map(({ catrn }) => catrn), names]);
    return rest;
  });
  for (const namespace of shared) {
    wanted.set(namespace, otherNamespacesCatrn);
    const reason = "more namespaces than openlineage.max-namespaces; it stands under a shared one";
    intakeWarnings.note({ namespace, name: "", kind: "too_many", reason });
  }
  return wanted;
}
