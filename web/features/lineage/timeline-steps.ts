/** An edge that came or went, of the answers of `GET /api/lineage/changes`. */
export interface EdgeChange {
  at: string;
  change: "added" | "removed";
  source: { id: number };
  target: { id: number };
}

/** What changed of a drawing at about one time. */
export interface TimeStep {
  /** When all of it had happened. */
  at: string;
  came: number;
  left: number;
}

/** Milliseconds between changes that are one step: what one batch brings is written by several transactions. */
const together = 2_000;

/** The changes that touch one of these entities, oldest first; each edge counts once a step. */
export function stepsOf(changes: readonly EdgeChange[], ids: ReadonlySet<number>): TimeStep[] {
  const steps: { at: string; came: Set<string>; left: Set<string> }[] = [];
  for (const { at, change, source, target } of changes.toReversed()) {
    if (!ids.has(source.id) && !ids.has(target.id)) continue;
    const last = steps.at(-1);
    const joins = last && Date.parse(at) - Date.parse(last.at) <= together;
    const step = joins ? last : { at, came: new Set<string>(), left: new Set<string>() };
    if (!joins) steps.push(step);
    step.at = at;
    (change === "added" ? step.came : step.left).add(`${source.id} ${target.id}`);
  }
  return steps.map(({ at, came, left }) => ({ at, came: came.size, left: left.size }));
}

/** How many of the steps a drawing as of a time has behind it; all of them when it is of now (null). */
export function positionOf(steps: readonly TimeStep[], asOf: string | null): number {
  if (asOf === null) return steps.length;
  const after = steps.findIndex(({ at }) => Date.parse(at) > Date.parse(asOf));
  return after < 0 ? steps.length : after;
}

/** The time as of which so many steps are behind; null: now. */
export function momentOf(steps: readonly TimeStep[], position: number): string | null {
  if (position >= steps.length) return null;
  if (position > 0) return steps[position - 1]!.at;
  return new Date(Date.parse(steps[0]!.at) - together).toISOString();
}

export const periods = [1, 7, 30, 90, 365] as const;
const usual = 30;

/** Days that the address tells; null while the changes are not shown. */
export function daysOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  return periods.find((days) => String(days) === text) ?? usual;
}
