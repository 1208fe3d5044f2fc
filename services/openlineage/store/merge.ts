import { EventLoopYielder } from "#kit/event-loop.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { linksOf } from "../state/aliases.ts";
import {
  datasetContent,
  type Delta,
  ioContent,
  ioKey,
  jobContent,
  joinDataset,
  joinIo,
  joinJob,
  joinRun,
  runContent,
} from "../state/states.ts";
import type { Join } from "../state/join.ts";
import type { DatasetState, IoState, JobState, Keys, RunState } from "../state/model.ts";
import { hasAny, jobOfRun } from "../state/runs.ts";
import * as dirty from "./dirty.queries.ts";
import { columns, datasetRow, ioRow, jobRow, runRow } from "./rows.ts";
import * as sql from "./tables.queries.ts";

/** What a merge did to one row. */
interface MergedRow<S> {
  key: string;
  before: S | null;
  after: S;
  /** It was there, and its text is another now. */
  changed: boolean;
  /** What items are made of is another now, or it is new. */
  turned: boolean;
}

/** How one table of states is merged. */
interface Table<S> {
  lock: Statement<sql.StoredState>;
  insert: Statement<{ key: string }>;
  update: Statement;
  row: (merged: MergedRow<S>) => unknown[];
  join: Join<S>;
  content: (state: S) => string;
}

const datasets: Table<DatasetState> = {
  lock: sql.lockDatasets,
  insert: sql.insertDatasets,
  update: sql.updateDatasets,
  row: datasetRow,
  join: joinDataset,
  content: datasetContent,
};

const jobs: Table<JobState> = {
  lock: sql.lockJobs,
  insert: sql.insertJobs,
  update: sql.updateJobs,
  row: jobRow,
  join: joinJob,
  content: jobContent,
};

const runs: Table<RunState> = {
  lock: sql.lockRuns,
  insert: sql.insertRuns,
  update: sql.updateRuns,
  row: runRow,
  join: joinRun,
  content: runContent,
};

/** Joins what a chunk of events says into the tables. */
export async function mergeDelta(tx: Transaction, delta: Delta, keys: Keys): Promise<void> {
  await linkDatasets(tx, await mergeTable(tx, datasets, delta.datasets), keys);
  await followJobs(tx, await mergeTable(tx, jobs, delta.jobs));
  const merged = await mergeTable(tx, runs, delta.runs);
  const io = await mergeIo(tx, [...delta.io.values()]);
  await followRuns(tx, merged, io);
}

async function mergeTable<S>(
  tx: Transaction,
  table: Table<S>,
  delta: Map<string, S>,
): Promise<MergedRow<S>[]> {
  if (delta.size === 0) return [];
  const all = [...delta].map(([key, after]): MergedRow<S> => (
    { key, before: null, after, changed: false, turned: true }
  ));
  const stored = new Map<string, string>();
  const read = async (keys: string[]) => {
    for (const { key, state } of await tx.query(table.lock, [keys])) stored.set(key, state);
  };
  await read([...delta.keys()]);
  const fresh = all.filter(({ key }) => !stored.has(key));
  if (fresh.length > 0) {
    const made = await tx.query(table.insert, columns(fresh, table.row));
    const keys = new Set(made.map(({ key }) => key));
    // Another worker made these meanwhile.
    const others = fresh.filter(({ key }) => !keys.has(key));
    if (others.length > 0) await read(others.map(({ key }) => key));
  }
  const merged: MergedRow<S>[] = [];
  const yielder = new EventLoopYielder();
  for (const row of all) {
    await yielder.yieldWhenDue();
    merged.push(joined(row, stored.get(row.key), table));
  }
  const changed = merged.filter((row) => row.changed);
  if (changed.length > 0) {
    const turned = changed.map((row) => row.turned ? 1 : 0);
    await tx.query(table.update, [...columns(changed, table.row), turned]);
  }
  return merged;
}

function joined<S>(
  row: MergedRow<S>,
  text: string | undefined,
  { join, content }: Table<S>,
): MergedRow<S> {
  if (text === undefined) return row;
  const before = JSON.parse(text) as S;
  const after = join(before, row.after);
  const changed = JSON.stringify(after) !== text;
  const turned = changed && content(before) !== content(after);
  return { key: row.key, before, after, changed, turned };
}

/** Keeps the statements about names, and marks whatever is connected with those that changed, to be mapped again. */
async function linkDatasets(
  tx: Transaction,
  merged: MergedRow<DatasetState>[],
  keys: Keys,
): Promise<void> {
  const changed = merged.flatMap(({ key, before, after }) => {
    const links = linksOf(key, after, keys);
    const earlier = before ? linksOf(key, before, keys) : [];
    return JSON.stringify(links) === JSON.stringify(earlier) ? [] : [{ key, links, earlier }];
  });
  const turned = merged.filter((row) => row.turned && row.before).map(({ key }) => key);
  if (changed.length > 0) {
    const rows = changed.flatMap(({ key, links }) => links.map((link) => ({ by: key, ...link })));
    await tx.query(sql.replaceLinks, [
      changed.map(({ key }) => key),
      ...columns(rows, ({ by, from, to, kind, t, h }) => [by, from, to, kind, t, h], 6),
    ]);
  }
  const ends = changed.flatMap(({ links, earlier }) =>
    [...links, ...earlier].flatMap(({ from, to }) => [from, to])
  );
  // Who stands for the group is made of the states of all of its names.
  const affected = [...new Set([...ends, ...turned])];
  if (affected.length > 0) await tx.query(dirty.dirtyConnected, [affected]);
}

/** Marks the parents that jobs have or had, and the runs of jobs that turn out not to end, to be mapped again. */
async function followJobs(tx: Transaction, merged: MergedRow<JobState>[]): Promise<void> {
  const parents = new Set<string>();
  const turned: string[] = [];
  for (const { before, after, key } of merged) {
    const [old, now] = [before?.parent?.v.key, after.parent?.v.key];
    const appeared = before !== null && before.seen === null && after.seen !== null;
    if (old !== now || appeared) { for (const each of [old, now]) if (each) parents.add(each); }
    if (before && before.facets.jobType?.h !== after.facets.jobType?.h) turned.push(key);
  }
  if (parents.size > 0) await tx.query(dirty.dirtyJobs, [[...parents].sort(), true]);
  if (turned.length > 0) await tx.query(dirty.dirtyRunsOf, [turned]);
}

interface MergedIo {
  run: string;
  /** It is new. */
  fresh: boolean;
  turned: boolean;
}

async function mergeIo(tx: Transaction, given: IoState[]): Promise<MergedIo[]> {
  if (given.length === 0) return [];
  const stored = new Map<string, string>();
  const names = columns(given, ({ run, side, key }) => [run, side, key], 3);
  for (const row of await tx.query(sql.readIo, names)) {
    stored.set(ioKey({ run: row.run_key, side: row.side, key: row.dataset_key }), row.state);
  }
  const written: IoState[] = [];
  const merged = given.map((row): MergedIo => {
    const text = stored.get(ioKey(row));
    const before = text === undefined ? null : JSON.parse(text) as IoState;
    const after = before ? joinIo(before, row) : row;
    if (JSON.stringify(after) !== text) written.push(after);
    const turned = !before || ioContent(before) !== ioContent(after);
    return { run: row.run, fresh: !before, turned };
  });
  if (written.length > 0) await tx.query(sql.writeIo, columns(written, ioRow, 5));
  return merged;
}

/** Marks the jobs whose runs changed, and the runs whose inputs or outputs changed. */
async function followRuns(
  tx: Transaction,
  runs: MergedRow<RunState>[],
  io: MergedIo[],
): Promise<void> {
  const turnedRuns = new Set(io.filter(({ turned }) => turned).map(({ run }) => run));
  const affected = new Set<string>();
  const touched: string[] = [];
  const starters = new Set<string>();
  for (const { key, before, after, turned } of runs) {
    if (!turned && !turnedRuns.has(key) && !sidesTurned(before, after)) continue;
    affected.add(jobOfRun(after));
    if (before) affected.add(jobOfRun(before));
    if (before && !turned) touched.push(key);
    if (turned) { for (const by of [before?.parent, after.parent]) if (by) starters.add(by.v); }
  }
  if (touched.length > 0) await tx.query(sql.dirtyRuns, [touched]);
  if (starters.size > 0) await tx.query(dirty.dirtyStarters, [[...starters].sort()]);
  if (affected.size > 0) await tx.query(dirty.dirtyJobs, [[...affected].sort(), false]);
}

function sidesTurned(before: RunState | null, after: RunState): boolean {
  return before !== null && (hasAny(before, "inputs") !== hasAny(after, "inputs") ||
    hasAny(before, "outputs") !== hasAny(after, "outputs"));
}
