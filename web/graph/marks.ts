import type { LegendEntry } from "#web/graph/colours.ts";
import type { BoxHealth } from "#web/graph/health.ts";
import type { iconPaths } from "#web/graph/icon-paths.ts";
import type { IconKey } from "#web/graph/icons.ts";
import type { Hit } from "#web/graph/pick.ts";
import type { Scene, SceneBox } from "#web/graph/scene.ts";
import type { Theme } from "#web/graph/style.ts";

/** Bits of what a box or a line is marked as. */
export const mark = { path: 1, selected: 2, faded: 4 } as const;

export type MarkIcon = IconKey | "passing" | "failing";

/** What cards show of how entities are; who paints it knows more (`health-marks.ts`). */
export interface HealthMarks {
  /** By id of entity. */
  readonly of: ReadonlyMap<number, BoxHealth>;
  find(box: SceneBox): BoxHealth | undefined;
  /** What is taken of the first line of a card. */
  roomBeside(box: SceneBox): number;
  icons(box: SceneBox): MarkIcon[];
  /** What follows the name of a job on its line, and whether its last run failed. */
  run(jobs: readonly number[]): { text: string; failed: boolean } | undefined;
}

/** What is marked in a drawing, apart from the scene, so that marking builds nothing again. */
export interface Marks {
  /** Bits by index of box and of line. */
  boxes: Uint8Array;
  lines: Uint8Array;
  /** Index of a box, -1 for none. */
  focus: number;
  hover: number;
  hoverLine: number;
  /** Index of the frame that the pointer is in, and the lines from and to what is within it. */
  frame?: { index: number; lines: ReadonlySet<number> } | null;
  /** The chosen column of an opened card, by its key. */
  column?: string | null;
  /** How entities are, by id, as far as it is known. */
  health?: HealthMarks | null;
  /** The colour of a box; by default that of its class. */
  colour?: (theme: Theme, box: SceneBox) => string;
  /** What the colours of boxes say. */
  legend?: readonly LegendEntry[];
  /** Outlines of icons, which are there soon after the first picture. */
  icons?: typeof iconPaths;
}

export interface MarkedElements
  extends Pick<Marks, "column" | "health" | "colour" | "icons" | "legend"> {
  /** Keys of boxes. */
  selected?: ReadonlySet<string>;
  /** Keys of the boxes of a path; what is on none fades. */
  path?: ReadonlySet<string> | null;
  /** Whether a filter leaves the box out; it stays where it is and keeps its lines. */
  dimmed?: ((key: string) => boolean) | null;
  /** Whether a line is on the path; by default when both its ends are. */
  onPath?: ((key: string) => boolean) | null;
}

export function noMarks(scene: Scene): Marks {
  return {
    boxes: new Uint8Array(scene.boxes.length),
    lines: new Uint8Array(scene.lines.length),
    focus: -1,
    hover: -1,
    hoverLine: -1,
  };
}

/** A frame with the lines that lead to what is in it, or from it. */
export function frameMarks({ frames, lines }: Scene, index: number): NonNullable<Marks["frame"]> {
  const within = new Set(frames[index]!.boxes);
  const some = lines.flatMap(({ from, to }, at) => within.has(from) || within.has(to) ? [at] : []);
  return { index, lines: new Set(some) };
}

type HoverMarks = Required<Pick<Marks, "hover" | "hoverLine" | "frame">>;

/** What is marked of what the pointer is at; null where that is marked already. */
export function hoverMarks(scene: Scene, marks: Marks, hit: Hit | null): HoverMarks | null {
  const frame = hit?.kind === "frame" ? hit.frame : -1;
  const next = {
    hover: hit && "box" in hit ? hit.box : -1,
    hoverLine: hit?.kind === "line" ? hit.line : -1,
  };
  const isSame = marks.hover === next.hover && marks.hoverLine === next.hoverLine &&
    (marks.frame?.index ?? -1) === frame;
  return isSame ? null : { ...next, frame: frame < 0 ? null : frameMarks(scene, frame) };
}

/** The marks of a scene. Linear in its boxes and lines. */
export function marksOf(
  scene: Scene,
  { selected, path, dimmed, onPath, ...rest }: MarkedElements,
): Marks {
  const marks: Marks = { ...noMarks(scene), ...rest };
  for (const [index, { key }] of scene.boxes.entries()) {
    const isOnPath = path?.has(key) ?? false;
    const faded = (path && !isOnPath) || dimmed?.(key);
    marks.boxes[index] = (isOnPath ? mark.path : 0) | (selected?.has(key) ? mark.selected : 0) |
      (faded ? mark.faded : 0);
  }
  for (const [index, line] of scene.lines.entries()) {
    const both = marks.boxes[line.from]! & marks.boxes[line.to]!;
    const either = marks.boxes[line.from]! | marks.boxes[line.to]!;
    const isOnPath = path ? onPath ? onPath(line.key) : (both & mark.path) !== 0 : false;
    const faded = path ? !isOnPath : (either & mark.faded) !== 0;
    marks.lines[index] = (isOnPath ? mark.path : 0) | (faded ? mark.faded : 0);
  }
  return marks;
}
