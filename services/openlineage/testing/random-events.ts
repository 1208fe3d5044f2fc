import { canonical, sha256 } from "#kit/canonical.ts";
import type { EventType, InputDataset, InputEvent } from "../state/model.ts";

type Random = () => number;

const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
const maybe = (random: Random, share: number) => random() < share;

const types: EventType[] = ["START", "RUNNING", "COMPLETE", "FAIL", "ABORT", "OTHER"];
const jobs = ["a", "b", "c", "unknown"];
const tables = ["t", "u", "v", "w"];
const locations = ["s1", "s2"];
const ownerships = [
  { owners: [{ name: "ann", type: "cook" }, { name: "bob" }] },
  { owners: [{ name: "bob" }, { name: "ann" }, { name: "bob", type: "chef" }] },
  { owners: [] },
  { _deleted: true },
];
const runs = [
  "00000000-0000-7000-8000-000000000001",
  "00000000-0000-7000-8000-000000000002",
  "3",
];

/** A set of at most 12 events of all kinds about a few names, with few distinct times. */
export function randomEvents(random: Random): InputEvent[] {
  const count = 1 + Math.floor(random() * 12);
  return Array.from({ length: count }, () => identified(randomEvent(random)));
}

/** With the id that its content has. */
function identified(event: InputEvent): InputEvent {
  return { ...event, id: sha256(canonical(event)).slice(0, 8) };
}

/** Events with the names of one set, distinct from those of others. */
export function renamed(events: InputEvent[], set: number): InputEvent[] {
  return JSON.parse(
    JSON.stringify(events).replaceAll('"n"', `"n${set}"`)
      .replaceAll("00000000-0000", `${String(set).padStart(8, "0")}-0000`)
      .replaceAll('"runId":"3"', `"runId":"3-${set}"`),
  );
}

/** An event as a producer writes it. */
export function rawOf({ kind: _, id: __, at, type, ...rest }: InputEvent): Record<string, unknown> {
  return { eventTime: new Date(at).toISOString(), eventType: type, ...rest };
}

/** The events in another order, some twice, in chunks. */
export function shuffled<E>(random: Random, events: E[]): E[][] {
  const all = [...events, ...events.filter(() => maybe(random, 0.3))];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  const chunks: E[][] = [];
  while (all.length > 0) chunks.push(all.splice(0, 1 + Math.floor(random() * 5)));
  return chunks;
}

function randomEvent(random: Random): InputEvent {
  const at = 1_000 + Math.floor(random() * 8) * 1_000;
  if (maybe(random, 0.12)) return { kind: "dataset", at, dataset: dataset(random) };
  const job = {
    namespace: "n",
    name: pick(random, jobs),
    facets: {
      ...maybe(random, 0.15)
        ? { jobType: { processingType: pick(random, ["BATCH", "STREAMING"]) } }
        : {},
      ...maybe(random, 0.2) ? { sql: { query: pick(random, ["select 1", "select 2"]) } } : {},
      ...maybe(random, 0.05) ? { sql: { _deleted: true } } : {},
      ...maybe(random, 0.15) ? { ownership: pick(random, ownerships) } : {},
      ...maybe(random, 0.1) ? { lineage: { entries: [lineageEntry(random)] } } : {},
    },
  };
  if (maybe(random, 0.15)) return { kind: "job", at, job, ...ioOf(random) };
  return {
    kind: "run",
    at,
    type: pick(random, types),
    run: { runId: pick(random, runs), facets: runFacets(random) },
    job,
    ...ioOf(random),
  };
}

function lineageEntry(random: Random) {
  const named = (type: string, of: readonly string[]) => ({
    namespace: "n",
    name: pick(random, of),
    type,
  });
  if (maybe(random, 0.5)) return { type: "JOB", inputs: [named("JOB", jobs)] };
  const inputs = [{ ...named("DATASET", tables), field: "x" }];
  return { ...named("DATASET", tables), fields: { y: { inputs } } };
}

function runFacets(random: Random): Record<string, unknown> {
  return {
    ...maybe(random, 0.3)
      ? {
        parent: {
          run: { runId: "9" },
          job: { namespace: "n", name: pick(random, [...jobs, "root"]) },
        },
      }
      : {},
    ...maybe(random, 0.2) ? { errorMessage: { message: pick(random, ["x", "y"]) } } : {},
  };
}

function ioOf(random: Random): Pick<InputEvent, "inputs" | "outputs"> {
  const side = () => Array.from({ length: Math.floor(random() * 3) }, () => dataset(random));
  return {
    ...maybe(random, 0.7) ? { inputs: side() } : {},
    ...maybe(random, 0.7) ? { outputs: side() } : {},
  };
}

function dataset(random: Random): InputDataset {
  const facets: Record<string, unknown> = {};
  if (maybe(random, 0.5)) {
    const columns = ["x", "y", "z"].filter(() => maybe(random, 0.6));
    const fields = columns.map((name) => ({ name, type: pick(random, ["int", "text"]) }));
    facets.schema = { fields };
  }
  if (maybe(random, 0.1)) facets.schema = { _deleted: true };
  if (maybe(random, 0.25)) facets.symlinks = { identifiers: [symlink(random)] };
  if (maybe(random, 0.1)) {
    const change = pick(random, ["DROP", "RENAME", "OVERWRITE"]);
    const previousIdentifier = { namespace: "n", name: pick(random, tables) };
    facets.lifecycleStateChange = { lifecycleStateChange: change, previousIdentifier };
  }
  if (maybe(random, 0.1)) {
    const inputs = [{ namespace: "n", name: pick(random, tables), type: "DATASET", field: "x" }];
    facets.lineage = { fields: { y: { inputs } } };
  }
  const assertions = {
    assertions: [{ assertion: "not_null", column: "x", success: maybe(random, 0.5) }],
  };
  return {
    namespace: "n",
    name: pick(random, [...tables, ...locations]),
    facets,
    ...maybe(random, 0.2) ? { inputFacets: { dataQualityAssertions: assertions } } : {},
  };
}

function symlink(random: Random) {
  const table = maybe(random, 0.5);
  const name = pick(random, table ? tables : locations);
  return { namespace: "n", name, type: table ? "TABLE" : "LOCATION" };
}
