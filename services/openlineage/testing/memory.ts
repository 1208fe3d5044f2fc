import { mapDataset } from "../mapper/dataset.ts";
import type { Item } from "../mapper/item.ts";
import { mapJob } from "../mapper/job.ts";
import { mapRun } from "../mapper/run.ts";
import { type Aliases, aliasesOf, canonicalOf, joinedState, linksOf } from "../state/aliases.ts";
import { type Delta, emptyDelta, isDropped, joinDelta } from "../state/states.ts";
import { deltaOf, unnamedJob } from "../state/events.ts";
import { currentChildren, parentsOf } from "../state/hierarchy.ts";
import type { IoRules } from "../state/job-io.ts";
import type { InputEvent, Keys, Name, RunState } from "../state/model.ts";
import {
  jobOfRun,
  maxNamedTasks,
  startOf,
  type StoredRun,
  type TaskOutcomes,
  terminalOf,
} from "../state/runs.ts";

/** Keys without a catalogue and without rules: what a name says. */
export const plainKeys: Keys = {
  job: ({ namespace, name }: Name) => `//ol/${namespace}/jobs/${name}`,
  dataset: ({ namespace, name }: Name) => `//ol/${namespace}/datasets/${name}`,
};

export const hour = 3_600_000;

export const plainRules: IoRules = {
  now: 0,
  remembered: 3,
  timeoutMs: 24 * hour,
  edgeTtlMs: null,
  streamingEdgeTtlMs: null,
};

/** What an event says is computed once: joins never change what they are given. */
const deltas = new WeakMap<InputEvent, Delta>();

function deltaBy(event: InputEvent, keys: Keys): Delta {
  if (keys !== plainKeys) return deltaOf(event, keys);
  const known = deltas.get(event) ?? deltaOf(event, keys);
  deltas.set(event, known);
  return known;
}

/** The state after some events, merged in chunks as they are given. */
export function stateOf(chunks: InputEvent[][], keys = plainKeys): Delta {
  const state = emptyDelta();
  for (const events of chunks) {
    const delta = emptyDelta();
    for (const event of events) joinDelta(delta, deltaBy(event, keys));
    joinDelta(state, delta);
  }
  return state;
}

/** A state without the order in which it came to be, and what of it is only bookkeeping. */
export function normal(state: Delta): unknown {
  const sorted = <T>(map: Map<string, T>) =>
    [...map].sort(([a], [b]) => a < b ? -1 : 1).map(([key, value]) => [key, deep(value)]);
  return [sorted(state.jobs), sorted(state.runs), sorted(state.io), sorted(state.datasets)];
}

function deep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return entries.sort(([a], [b]) => a < b ? -1 : 1).map(([key, v]) => [key, deep(v)]);
}

/** Everything that a state is mapped to, by CATRN, as the publisher does it without a catalogue. */
export function mapAll(
  state: Delta,
  rules: IoRules = plainRules,
  keys = plainKeys,
): Map<string, Item> {
  const aliases = aliasesOf([...state.datasets].flatMap(([key, one]) => linksOf(key, one, keys)));
  const catrnOf = canonicals(aliases);
  const items = [
    ...datasetItems(state, catrnOf, aliases),
    ...jobItems(state, { rules, catrnOf, keys }),
    ...runItems(state, rules, catrnOf),
  ];
  return new Map(items.map((item) => [item.catrn, item]));
}

type CatrnOf = (key: string) => string;

function canonicals(aliases: Aliases): CatrnOf {
  const canonical = new Map<string, string>();
  for (const group of aliases.groups) {
    const first = canonicalOf(group.map((key) => ({ key, id: null })), aliases);
    for (const key of group) canonical.set(key, first);
  }
  return (key) => canonical.get(key) ?? key;
}

function datasetItems(state: Delta, catrnOf: CatrnOf, aliases: Aliases): Item[] {
  const keys = [...state.datasets.keys()].sort();
  return keys.filter((key) => catrnOf(key) === key).flatMap((key) => {
    const members = keys.filter((other) => catrnOf(other) === key);
    const stored = members.map((each) => ({ key: each, state: state.datasets.get(each)! }));
    const one = { ...joinedState(stored, aliases), name: state.datasets.get(key)!.name };
    if (one.seen === null || isDropped(one)) return [];
    return mapDataset({ catrn: key, kind: "TABLE", state: one }).items;
  });
}

/** The runs of a state, with their inputs and outputs. */
export function runsOf(state: Delta): StoredRun[] {
  return [...state.runs].sort(([a], [b]) => a < b ? -1 : 1).map(([key, run]) => ({
    key,
    state: run,
    io: [...state.io.values()].filter((row) => row.run === key)
      .sort((a, b) => a.side + a.key < b.side + b.key ? -1 : 1),
  }));
}

function jobItems(
  state: Delta,
  { rules, catrnOf, keys }: { rules: IoRules; catrnOf: CatrnOf; keys: Keys },
): Item[] {
  const jobs = [...state.jobs].map(([key, job]) => ({ key, ...job }));
  const parents = parentsOf(jobs);
  const runs = runsOf(state);
  return jobs.filter(({ name }) => name.name !== unnamedJob).flatMap(({ key, ...job }) => {
    const children = jobs.filter((child) => parents.get(child.key) === key && child.seen !== null)
      .map((child) => ({ key: child.key, seen: child.seen! }));
    return mapJob({
      key,
      state: job,
      runs: runs.filter((run) => jobOfRun(run.state) === key),
      children: currentChildren(children, { now: rules.now, ttlMs: null }),
      catrnOf,
      keyOf: keys.dataset,
      jobKeyOf: keys.job,
    }, rules).items;
  });
}

function runItems(state: Delta, rules: IoRules, catrnOf: CatrnOf): Item[] {
  return runsOf(state).flatMap((run) => {
    const jobKey = jobOfRun(run.state);
    const tasks = tasksOf(state, run.key);
    return mapRun({ run, jobKey, job: state.jobs.get(jobKey)!, catrnOf, tasks }, rules).items;
  });
}

/** As the publisher's `taskOutcomes`. */
function tasksOf(state: Delta, key: string): TaskOutcomes | undefined {
  const last = new Map<string, { key: string; run: RunState }>();
  for (const [child, run] of [...state.runs].sort(([a], [b]) => a < b ? 1 : -1)) {
    if (run.parent?.v !== key) continue;
    const job = jobOfRun(run);
    const other = last.get(job);
    if (!other || startOf(other.run) <= startOf(run)) last.set(job, { key: child, run });
  }
  const runs = [...last].map(([job, { run }]) => ({ job, run, terminal: terminalOf(run) }));
  if (runs.length === 0) return undefined;
  const ended = (as: string | null) => runs.filter(({ terminal }) => terminal === as);
  const names = ended("FAIL").map(({ job }) => state.jobs.get(job)!.name.name).sort();
  return {
    count: runs.length,
    running: ended(null).length,
    failed: names.slice(0, maxNamedTasks),
    failures: names.length,
    aborted: ended("ABORT").length,
    lastAt: Math.max(...runs.map(({ run }) => run.last)),
  };
}
