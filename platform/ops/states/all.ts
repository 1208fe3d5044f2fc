import { generalRows } from "#platform/ops/states/general.ts";
import type { StateRow } from "#platform/ops/states/row.ts";
import { slotReaderRows } from "#platform/ops/states/slot-reader.ts";
import { waitingRows } from "#platform/ops/states/waiting.ts";

/** Every state of a worker. `docs/operate/operations.md` and `/api/ops/workers` tell the same. */
export const stateRows: StateRow[] = [...generalRows, ...waitingRows, ...slotReaderRows];

/** What a state means and what to do about it, as text without links. */
interface StateDescription {
  meaning: string;
  action: string;
  /** How long it takes; null where that says nothing. */
  takes: string | null;
}

const meanings = new Map(
  stateRows.map(([state, , means, action, takes]): [string, StateDescription] => [
    state,
    { meaning: plain(means), action: plain(action), takes: takes === "" ? null : plain(takes) },
  ]),
);

/** Null for a state that this release does not know: another release may report it. */
export function meaningOf(state: string): StateDescription | null {
  return meanings.get(state) ?? null;
}

/** Markdown without its links: `[hardening.md](hardening.md)` as `docs/operate/hardening.md`. */
function plain(text: string): string {
  return text.replaceAll(/\[[^\]]{1,100}\]\(([^)]{1,100})\)/g, "docs/operate/$1");
}
