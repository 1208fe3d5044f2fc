import type { iconPaths } from "#web/graph/icons.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { changeColour, type Theme } from "#web/graph/style.ts";

/** How borders tell states apart without colour: dashes and gaps in lengths of the drawing. */
export const borderDash = { hollow: [8, 5], stale: [2, 3], plain: [] } as const;

/** Where things stand within a card, from its upper left corner. */
export const card = {
  radius: 6,
  stripe: 5,
  icon: { x: 14, y: 22, size: 20 },
  text: { x: 42, right: 10 },
  name: { y: 24, size: 13 },
  detail: { y: 44, size: 11 },
  mark: { size: 15, gap: 4 },
  /** Middle level: the name alone. */
  title: { x: 14, size: 23 },
} as const;

export function borderOf(box: Pick<SceneBox, "hollow" | "stale">): keyof typeof borderDash {
  return box.hollow ? "hollow" : box.stale ? "stale" : "plain";
}

/** Icons at the right end of the second line that say what the border says, in words of pictures. */
export function marksOf(box: SceneBox): (keyof typeof iconPaths)[] {
  return [
    ...(box.change ? [box.change] : []),
    ...(box.deleted ? ["deleted" as const] : []),
    ...(box.hollow ? ["hollow" as const] : []),
    ...(box.stale ? ["stale" as const] : []),
    ...(box.alerts > 0 ? ["alert" as const] : []),
  ];
}

export function markColour(theme: Theme, name: ReturnType<typeof marksOf>[number]): string {
  if (name === "came" || name === "left") return changeColour(theme, name)!;
  return name === "alert" ? theme.alert : theme.muted;
}
