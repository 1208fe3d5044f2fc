import type { Facets } from "./facets.ts";
import type { DatasetState, IoState, JobState, RunState } from "./model.ts";

/** What of a state an item is made of: equal texts make equal items, but for the passing of time. */
export function jobContent({ name, facets, inputs, outputs, parent, seen }: JobState): string {
  const hashes = [inputs?.h, outputs?.h, parent?.v.key];
  return JSON.stringify([name, hashesOf(facets), hashes, seen === null]);
}

/** As `jobContent`. */
export function runContent(state: RunState): string {
  const { job, unnamed, mentioned, parent, facets, started, first, seen, snapshot } = state;
  const { RUNNING, ...others } = seen;
  const ended = [seen.COMPLETE, seen.FAIL, seen.ABORT].some((at) => at !== undefined);
  // While nothing has ended the run, it matters only that it runs.
  const running = ended ? RUNNING : RUNNING !== undefined;
  const times = [started, first, running, snapshot];
  const names = [job?.v, unnamed?.v, mentioned?.v, parent?.v];
  return JSON.stringify([names, hashesOf(facets), times, sorted(others)]);
}

/** As `jobContent`. */
export function datasetContent(state: DatasetState): string {
  const { name, facets, schema, columns, seen } = state;
  const shown = schema?.v ? [] : columns.map((column) => [column.name, column.h, column.at]);
  const gone = isDropped(state);
  const content = [name, hashesOf(facets), schema?.h, shown, gone, seen === null];
  // Statistics are as of a time, so equal ones reported later are different.
  return JSON.stringify([...content, facets.dataQualityMetrics?.t]);
}

/** As `jobContent`, of an input or output. */
export function ioContent({ facets }: IoState): string {
  return JSON.stringify([
    hashesOf(facets),
    facets.inputStatistics?.t,
    facets.outputStatistics?.t,
  ]);
}

/** Whether a dataset was dropped, and not written or described since. */
export function isDropped({ dropped, written }: DatasetState): boolean {
  return dropped !== null && (written ?? -Infinity) <= dropped;
}

/** The hashes of facets, by name. */
function hashesOf(facets: Facets): [string, string][] {
  return sorted(facets).map(([name, facet]) => [name, facet!.h]);
}

function sorted<T>(object: Record<string, T>): [string, T][] {
  return Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1);
}
