import type { Change, PatchStep } from "./model.ts";
import { patched } from "./patch.ts";

/** A step of a patch, and when it was observed. */
interface StoredStep extends PatchStep {
  at: number;
}

/** An aspect of an entity as it is stored. */
export interface AspectState {
  /** When its value was observed; null: only patches are known of it. */
  at: number | null;
  /** JSON text; null: it was deleted, or only patches are known of it. */
  value: string | null;
  /** Newer than the value, in the order in which they apply. */
  steps: StoredStep[];
}

/** Maximum number of steps of patches beyond a value; more of them become part of the value. */
export const maxSteps = 2_000;

export const noState: AspectState = { at: null, value: null, steps: [] };

/**
 * The state after a change that was observed at `at`. The newest value wins, and each step of a patch is newest by its
 * path: so neither the order of changes nor their repetition matters, unless two were observed at one time, of which
 * the one that comes later wins.
 */
export function joined(
  state: AspectState,
  change: Exclude<Change, { kind: "entry" }>,
  at: number,
): AspectState {
  if (change.kind === "patch") {
    return withSteps(state, change.steps.map((step) => ({ ...step, at })));
  }
  const value = change.kind === "delete" ? null : change.value;
  const exists = state.value !== null || state.steps.length > 0;
  if (change.kind === "set" && change.create && exists) return state;
  if (state.at !== null && state.at > at) return state;
  return { at, value, steps: state.steps.filter((step) => step.at >= at) };
}

function withSteps(state: AspectState, added: StoredStep[]): AspectState {
  const steps = new Map(state.steps.map((step) => [keyOf(step), step]));
  for (const step of added) {
    const key = keyOf(step);
    const isOld = state.at !== null && step.at < state.at;
    if (!isOld && (steps.get(key)?.at ?? -Infinity) <= step.at) steps.set(key, step);
  }
  const ordered = [...steps].sort(byApplication).map(([, step]) => step);
  const next = { ...state, steps: ordered };
  return ordered.length <= maxSteps ? next : folded(next);
}

function folded(state: AspectState): AspectState {
  const at = state.steps.at(-1)!.at;
  return { at, value: JSON.stringify(valueOf(state)), steps: [] };
}

function keyOf({ path, keys }: PatchStep): string {
  return JSON.stringify(keys ? [path, keys] : [path]);
}

/** The older one first; of one time the shorter path, which may hold what the longer one names. */
function byApplication([a, one]: [string, StoredStep], [b, other]: [string, StoredStep]): number {
  return one.at - other.at || one.path.length - other.path.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** The aspect itself; undefined where there is none. */
export function valueOf({ value, steps }: AspectState): unknown {
  if (value === null && steps.length === 0) return undefined;
  const base: unknown = value === null ? {} : JSON.parse(value);
  return steps.length === 0 ? base : patched(base, steps);
}
