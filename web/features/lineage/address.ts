import { type Colouring, colourings } from "#web/graph/style.ts";
import { type Viewport, viewportOf, viewportText } from "#web/graph/viewport.ts";
import { idsOf, oneOf, type Params } from "#web/kit/search-params.ts";

export type Side = "upstream" | "downstream";

/** How far a walk goes: to assets so many hops away, or as far as the service walks. Jobs on the way are no hops. */
export type Depth = 1 | 2 | 3 | 5 | "all";
export const depths: readonly Depth[] = [1, 2, 3, 5, "all"];

/** How far a drawing goes to one side when it is opened; 0: not at all. */
export type Extent = 0 | Depth;
export const extents: readonly Extent[] = [0, ...depths];

/** What a drawing without an own extent shows. */
export const defaultExtent: Extent = 2;

/** What stands for a job: a line with its name, or a box; `columns` opens the cards that have column lineage. */
export type Mode = "tables" | "jobs" | "columns";
export const modes: readonly Mode[] = ["tables", "jobs", "columns"];

/** What somebody did to a drawing, in order; a drawing is what comes of all steps. */
export type Step =
  | { kind: "open"; id: number; side: Side; depth: Depth }
  /** A page of the direct neighbours of a hub, from 1 on. */
  | { kind: "page"; id: number; side: Side; page: number }
  | { kind: "close"; id: number; side: Side }
  /** Draws so many neighbors beyond the first ones. */
  | { kind: "more"; id: number; side: Side; count: number }
  /** Draws an entity beyond the first neighbors. */
  | { kind: "pick"; id: number }
  | { kind: "paths"; id: number; to: number };

/** How a drawing of very many assets is drawn: by default as is best for their number. */
type Draw = "auto" | "map" | "all";

/** All state of a drawing; all of it is in the address. */
export interface LineageState {
  up: Extent;
  down: Extent;
  steps: Step[];
  /** Keys of folds that are open. */
  unfolded: string[];
  /** Keys of groups that are drawn as one box. */
  folded: string[];
  mode: Mode;
  draw: Draw;
  /** What the colour of boxes says. */
  colour: Colouring;
  /** Keys of at most two boxes. */
  selected: string[];
  view: Viewport | null;
  classes: string[];
  sources: number[];
  alertsOnly: boolean;
  panel: boolean;
  /** A group's lineage among its members instead of around it. */
  members: boolean;
  /** The time as of which it is drawn, ISO 8601 in UTC; null for now. */
  asOf: string | null;
  /** What became of it since that time. */
  compare: boolean;
  /** Datasets whose cards are opened to their columns. */
  cards: number[];
  /** Key of the chosen column of an opened card. */
  column: string | null;
}

type PreferredExtents = Partial<Pick<LineageState, "up" | "down">>;

/** Changes a part of the state; `push` adds a step to the browser's history. */
export type Change = (change: Partial<LineageState>, push?: boolean) => void;

/** Cards that are opened at once; of more the first ones close. */
export const maxCards = 20;

/** Steps beyond these are dropped from the front, so that an address stays one that servers take. */
export const maxSteps = 80;

const sides = new Map<string, Side>([["u", "upstream"], ["d", "downstream"]]);

function stepText(step: Step): string {
  if (step.kind === "paths") return `${step.id}p${step.to}`;
  if (step.kind === "pick") return `${step.id}k`;
  const at = `${step.id}${step.side[0]}`;
  if (step.kind === "close") return `-${at}`;
  if (step.kind === "more") return `${at}m${step.count}`;
  return step.kind === "page"
    ? `${at}n${step.page}`
    : at + (step.depth === "all" ? "a" : step.depth);
}

/** The step that a text tells; null for any other text. */
function stepOf(text: string): Step | null {
  const found = /^(-?)([1-9]\d{0,14})([udpk])(a|1|2|3|5|[nm][1-9]\d{0,5}|[1-9]\d{0,14})?$/
    .exec(text);
  if (!found) return null;
  const [, minus, number, letter, rest] = found;
  const id = Number(number);
  if (letter === "p") {
    return !minus && rest && /^\d+$/.test(rest) ? { kind: "paths", id, to: Number(rest) } : null;
  }
  if (letter === "k") return minus || rest ? null : { kind: "pick", id };
  const side = sides.get(letter!)!;
  if (minus) return rest ? null : { kind: "close", id, side };
  if (rest?.startsWith("n")) return { kind: "page", id, side, page: Number(rest.slice(1)) };
  if (rest?.startsWith("m")) return { kind: "more", id, side, count: Number(rest.slice(1)) };
  const depth = depths.find((one) => (one === "all" ? "a" : String(one)) === rest);
  return depth ? { kind: "open", id, side, depth } : null;
}

/**
 * What the parameters of an address say; what they do not say, or wrongly, is as when the drawing is opened: `up` and
 * `down` then come from `preferred`.
 */
export function stateOf(params: Params, preferred: PreferredExtents = {}): LineageState {
  const list = (text: string | undefined) => (text ?? "").split("~").filter((one) => one !== "");
  const steps = (params.steps ?? "").split(".").map(stepOf).filter((step) => step !== null);
  return {
    up: extentOf(params.up) ?? preferred.up ?? defaultExtent,
    down: extentOf(params.down) ?? preferred.down ?? defaultExtent,
    steps: steps.slice(-maxSteps),
    unfolded: list(params.open).filter((key) => /^f[\w-]{1,40}$/.test(key)).slice(0, 100),
    folded: list(params.closed).filter((key) => /^fg\d{1,15}$/.test(key)).slice(0, 100),
    mode: oneOf(params.show, modes) ?? "tables",
    draw: oneOf(params.draw, ["map", "all"]) ?? "auto",
    colour: oneOf(params.color, colourings) ?? "type",
    selected: list(params.sel).filter((key) => /^[ef][\w-]{1,40}$/.test(key)).slice(0, 2),
    view: viewportOf(params.at),
    classes: list(params.class).slice(0, 20),
    sources: idsOf(params.source).slice(0, 100),
    alertsOnly: params.alerts === "1",
    panel: oneOf(params.panel, ["1"]) !== undefined,
    members: params.mode === "members",
    asOf: momentOf(params.asof),
    compare: momentOf(params.asof) !== null && params.compare === "1",
    cards: idsOf(params.cards).slice(-maxCards),
    column: params.column ?? null,
  };
}

export function extentOf(text: unknown): Extent | undefined {
  return extents.find((one) => String(one) === text);
}

/** A moment, as the service takes it; null for any other text. */
function momentOf(text = ""): string | null {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}

/** The parameters that say a part of the state; undefined ones leave the address. */
export function paramsOf(state: Partial<LineageState>): Params {
  const params: Params = {};
  const flag = (value: boolean) => (value ? "1" : undefined);
  if (state.up !== undefined) params.up = String(state.up);
  if (state.down !== undefined) params.down = String(state.down);
  if (state.steps) params.steps = state.steps.slice(-maxSteps).map(stepText).join(".");
  if (state.unfolded) params.open = state.unfolded.join("~");
  if (state.folded) params.closed = state.folded.join("~");
  if (state.mode) params.show = state.mode === "tables" ? undefined : state.mode;
  if (state.draw) params.draw = state.draw === "auto" ? undefined : state.draw;
  if (state.colour) params.color = state.colour === "type" ? undefined : state.colour;
  if (state.selected) params.sel = state.selected.join("~");
  if (state.view !== undefined) params.at = state.view ? viewportText(state.view) : undefined;
  if (state.classes) params.class = state.classes.join("~");
  if (state.sources) params.source = state.sources.join(",");
  if (state.alertsOnly !== undefined) params.alerts = flag(state.alertsOnly);
  if (state.panel !== undefined) params.panel = flag(state.panel);
  if (state.members !== undefined) params.mode = state.members ? "members" : undefined;
  if (state.asOf !== undefined) params.asof = state.asOf ?? undefined;
  if (state.compare !== undefined) params.compare = flag(state.compare);
  if (state.cards) params.cards = state.cards.join(",");
  if (state.column !== undefined) params.column = state.column ?? undefined;
  return params;
}

/** The steps with one more; of two that draw more of one side the last counts, closing what was just opened takes both away. */
export function withStep(steps: readonly Step[], step: Step): Step[] {
  if (step.kind !== "more" && step.kind !== "close") return [...steps, step];
  const isHere = (one: Step) => "side" in one && one.id === step.id && one.side === step.side;
  if (step.kind === "more") {
    return [...steps.filter((one) => one.kind !== "more" || !isHere(one)), step];
  }
  const others = steps.filter((one) => !isHere(one));
  const last = steps.at(-1);
  return last?.kind === "open" && isHere(last) ? others : [...others, step];
}

/** How far this person let the last drawing go, for each side that was chosen once. */
export function preferredExtents(): PreferredExtents {
  const found: PreferredExtents = {};
  try {
    for (const way of ["up", "down"] as const) {
      const extent = extentOf(localStorage.getItem(storageKeyOf(way)));
      if (extent !== undefined) found[way] = extent;
    }
  } catch {
    // Storage may be forbidden; then each drawing opens as the first one.
  }
  return found;
}

/** Opens later drawings so far. */
export function rememberExtent(way: keyof PreferredExtents, extent: Extent): void {
  try {
    localStorage.setItem(storageKeyOf(way), String(extent));
  } catch {
    // As above.
  }
}

const storageKeyOf = (way: keyof PreferredExtents) => `tributary.lineage.${way}`;
