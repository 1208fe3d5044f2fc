import { countAlone } from "#metadata/catalogue/counted.ts";
import type { IntakeWarning, IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const storedSources = statement<{ catrn: string }>("composed-sources-stored")`
  SELECT catrn FROM data_source WHERE catrn = ANY($1::text[])`;

const counted = statement<{ count: number }>("composed-sources-count")`
  SELECT count(*)::int AS count FROM data_source WHERE starts_with(catrn, $1)`;

const made = statement("composed-sources-make")`
  INSERT INTO data_source (catrn, name, description)
  SELECT catrn, name, $3 FROM unnest($1::text[], $2::text[]) AS s (catrn, name) ORDER BY catrn
  ON CONFLICT (catrn) DO NOTHING`;

/** Longest name of a data source, in characters. */
const maxName = 200;

/** How the data sources of a composed source are made. */
export interface SourceNaming {
  /** Such as `OpenLineage`; its data sources are named after it and their group. */
  system: string;
  description: string;
  /** What the CATRNs of its data sources begin with. */
  root: string;
  /** Maximum number of data sources; further groups share `shared`, which a warning reports. */
  max: number;
  shared: { catrn: string; name: string };
  catrnOf(group: string): string;
  warningOf(sharing: string): Omit<IntakeWarning, "kind">;
}

/** The data source of each group, registered if it is not there yet. */
export async function registerSources(
  { db, intakeWarnings }: { db: Database; intakeWarnings: IntakeWarnings },
  groups: string[],
  naming: SourceNaming,
): Promise<Map<string, string>> {
  const sources = new Map(groups.map((group) => [group, naming.catrnOf(group)]));
  const known = new Set(
    (await db.query(storedSources, [[...new Set(sources.values())]])).map(({ catrn }) => catrn),
  );
  const missing = new Map([...sources].filter(([, catrn]) => !known.has(catrn)));
  if (missing.size === 0) return sources;
  for (const group of await makeSources(db, missing, naming)) {
    sources.set(group, naming.shared.catrn);
    intakeWarnings.note({ ...naming.warningOf(group), kind: "too_many" });
  }
  return sources;
}

/** Resolves with the groups that share a data source. */
function makeSources(
  db: Database,
  missing: Map<string, string>,
  { system, description, root, max, shared }: SourceNaming,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await countAlone(tx, `data sources of ${system}`);
    const [row] = await tx.query(counted, [root]);
    const capacity = Math.max(0, max - row!.count);
    const own = [...missing].slice(0, capacity).map(([name, catrn]) => ({ catrn, name }));
    const rest = [...missing.keys()].slice(capacity);
    if (rest.length > 0) own.push(shared);
    const names = own.map(({ name }) => `${system} ${name}`.slice(0, maxName).toWellFormed());
    await tx.query(made, [own.map(({ catrn }) => catrn), names, description]);
    return rest;
  });
}
