import type { DatasetState, IoState, JobState, RunState } from "../state/model.ts";
import { hasAny, isReopened, jobOfRun, startOf, terminalOf } from "../state/runs.ts";

/** Rows as one array for each of their columns, as `unnest` takes them. */
export function columns<T>(rows: T[], row: (one: T) => unknown[], width = 0): unknown[][] {
  const all = rows.map(row);
  const count = all[0]?.length ?? width;
  return Array.from({ length: count }, (_, at) => all.map((values) => values[at]));
}

interface Row<S> {
  key: string;
  after: S;
}

export function datasetRow({ key, after }: Row<DatasetState>): unknown[] {
  const { name, seen } = after;
  return [key, stored(name.namespace), stored(name.name), JSON.stringify(after), seen];
}

export function jobRow({ key, after }: Row<JobState>): unknown[] {
  const { name, parent, inputs, outputs, seen } = after;
  const declared = [...inputs?.v ?? [], ...outputs?.v ?? []].map((dataset) => dataset.key);
  return [
    key,
    stored(name.namespace),
    stored(name.name),
    JSON.stringify(after),
    parent?.v.key ?? null,
    arrayText([...new Set(declared)].sort()),
    seen,
  ];
}

export function runRow({ key, after }: Row<RunState>): unknown[] {
  return [
    key,
    stored(after.runId),
    jobOfRun(after),
    JSON.stringify(after),
    startOf(after),
    terminalOf(after),
    isReopened(after),
    hasAny(after, "inputs"),
    hasAny(after, "outputs"),
    after.last,
    after.events?.length ?? 0,
    after.parent?.v ?? null,
  ];
}

export function ioRow(io: IoState): unknown[] {
  return [io.run, io.side, io.key, io.t, JSON.stringify(io)];
}

/** Text that PostgreSQL can hold. */
function stored(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** The text of an array of texts: PostgreSQL takes no nested arrays of different lengths. */
export function arrayText(texts: string[]): string {
  const quoted = texts.map((text) => `"${text.replace(/["\\]/g, (c) => `\\${c}`)}"`);
  return `{${quoted.join(",")}}`;
}
