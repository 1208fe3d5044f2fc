import { bigints, texts } from "#metadata/postgres/array-parameters.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import { Conflict } from "../failures.ts";
import type { DraftedChunk, ForeignItem, Ownership, RunDraft, StoredSource } from "../chunk.ts";

/** Everything may be written. */
export const unrestricted: Ownership = { ownerOf: () => null };

/** An entity or run of the chunk, as far as its data source is known. */
interface Claim {
  catrn: string;
  stored: StoredSource | undefined;
}

interface ProtectedSource {
  id: number;
  catrn: string;
  earlier: boolean;
}

/** The data sources that the source of the chunk may not write, as far as these claims concern them. */
export async function ownershipOf(
  { sourceCatrn }: Pick<DraftedChunk, "sourceCatrn">,
  sourceId: number,
  claims: Claim[],
  db: Database,
): Promise<Ownership> {
  const ids = new Set<number>();
  const prefixes = new Set<string>();
  for (const { catrn, stored } of claims) {
    const holder = holderOf(stored);
    if (holder !== null) ids.add(holder);
    else for (const prefix of prefixesOf(catrn)) prefixes.add(prefix);
  }
  const foreign = [...ids].filter((id) => id !== sourceId);
  if (foreign.length === 0 && prefixes.size === 0) return owners(sourceCatrn, sourceId, [], []);
  const rows = await db.query(protectedSources, [
    sourceId,
    bigints(foreign),
    texts([...prefixes]),
  ]);
  return owners(sourceCatrn, sourceId, foreign, rows);
}

function owners(
  sourceCatrn: string,
  sourceId: number,
  foreign: number[],
  rows: ProtectedSource[],
): Ownership {
  const known = new Set([sourceId, ...foreign]);
  const byId = new Map(rows.map(({ id, catrn }) => [id, catrn]));
  const earlier = new Set(rows.filter((row) => row.earlier).map(({ catrn }) => catrn));
  // Of the sources above a name that nobody has yet; otherwise the first one would shut its source out.
  const nearest = (catrn: string) => {
    const prefixes = prefixesOf(catrn);
    const found = prefixes.findLast((one) => one === sourceCatrn || earlier.has(one));
    return found === undefined || found === sourceCatrn ? null : found;
  };
  return {
    ownerOf(catrn, stored) {
      const holder = holderOf(stored);
      if (holder === null) return nearest(catrn);
      if (!known.has(holder)) throw new Conflict(`${catrn} has another data source meanwhile`);
      return byId.get(holder) ?? null;
    },
  };
}

function holderOf(stored: StoredSource | undefined): number | null {
  return stored && !stored.hollow ? stored.sourceId : null;
}

/** Levels of a name at which a data source is looked for: a name may have hundreds. */
const maxLevels = 16;

/** `//a/b/c` and what it lies in, shortest first: `//a`, `//a/b`. */
function prefixesOf(catrn: string): string[] {
  const found: string[] = [];
  for (let at = 2; found.length < maxLevels;) {
    const end = catrn.indexOf("/", at);
    if (end < 0) return [...found, catrn];
    found.push(catrn.slice(0, end));
    at = end + 1;
  }
  return found;
}

/** Runs that the source of the chunk may post, and those of tasks that another source owns. */
export async function separateRuns(
  chunk: DraftedChunk,
  sourceId: number,
  db: Database,
): Promise<{ runs: RunDraft[]; foreign: ForeignItem[] }> {
  if (chunk.runs.length === 0) return { runs: [], foreign: [] };
  const claims = await claimsOfRuns(chunk.runs, db);
  const ownership = await ownershipOf(chunk, sourceId, [...claims.values()].flat(), db);
  const foreign: ForeignItem[] = [];
  const runs = chunk.runs.filter((draft) => {
    const owners = claims.get(draft)!.map((one) => ownership.ownerOf(one.catrn, one.stored));
    const owner = owners.find((one) => one !== null);
    if (owner) foreign.push({ catrn: draft.catrn, owner });
    return !owner;
  });
  return { runs, foreign };
}

/** For each run its task, and the task that a stored run of that name is of. */
async function claimsOfRuns(runs: RunDraft[], db: Database): Promise<Map<RunDraft, Claim[]>> {
  const rows = await db.query(sourcesOfRuns, [
    texts(runs.map(({ taskCatrn }) => taskCatrn)),
    texts(runs.map(({ catrn }) => catrn)),
  ]);
  const stored = new Map(rows.map(({ kind, catrn, source_id }) => [
    `${kind} ${catrn}`,
    { sourceId: source_id, hollow: false },
  ]));
  return new Map(runs.map((draft) => {
    const task = { catrn: draft.taskCatrn, stored: stored.get(`task ${draft.taskCatrn}`) };
    const before = stored.get(`run ${draft.catrn}`);
    return [draft, before ? [task, { catrn: draft.catrn, stored: before }] : [task]];
  }));
}

/**
 * $1 id of the posting data source, $2 ids, $3 CATRNs: those of these data sources whose entities it may not write. A source
 * with a token or a collector is written by nobody else; two without tokens of their own share those of one collector.
 * `earlier`: registered before the posting one.
 */
const protectedSources = plannedEachTime<ProtectedSource>("ingest-protected-sources")`
  SELECT s.id, s.catrn, s.id < p.id AS earlier
    FROM data_source p JOIN data_source s ON s.id = ANY($2::bigint[]) OR s.catrn = ANY($3::text[])
   WHERE p.id = $1 AND s.id <> p.id
     AND (p.token_id IS NOT NULL OR p.collector_id IS NOT NULL)
     AND (s.token_id IS NOT NULL OR s.collector_id IS NOT NULL)
     AND NOT (s.token_id IS NULL AND p.token_id IS NULL AND s.collector_id = p.collector_id)`;

interface SourceOfRun {
  kind: "task" | "run";
  catrn: string;
  source_id: number | null;
}

/** $1 CATRNs of tasks, $2 CATRNs of runs: the data source of each task, and of the task that each stored run is of. */
const sourcesOfRuns = plannedEachTime<SourceOfRun>("ingest-sources-of-runs")`
  SELECT 'task' AS kind, catrn, data_source_id AS source_id
    FROM data_entity WHERE catrn = ANY($1::text[]) AND NOT hollow
  UNION ALL
  SELECT 'run', r.catrn, e.data_source_id
    FROM task_run r JOIN data_entity e ON e.id = r.task_id WHERE r.catrn = ANY($2::text[])`;
