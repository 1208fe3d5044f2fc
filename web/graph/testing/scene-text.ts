import type { OpenedCards } from "#web/graph/cards/opened.ts";
import { rectOf, type Scene, type SceneBox } from "#web/graph/scene.ts";

/**
 * A scene as lines of text, from left to right and top to bottom: what a test compares. A box is `key "label" @x,y`
 * and its facts, a line `from -> to`.
 */
export function sceneText(scene: Scene): string {
  const { width, height } = scene.bounds;
  const boxes = [...scene.order].map((index) => {
    const { x, y } = rectOf(scene, index);
    const box = scene.boxes[index]!;
    const at = `${Math.round(x)},${Math.round(y)}`;
    return `${box.key} ${JSON.stringify(box.label)} @${at} ${factsOf(box).join(" ")}`;
  });
  const lines = scene.lines.map(({ from, to, label, reversed, since }, index) => {
    const points = scene.offsets[index + 1]! - scene.offsets[index]!;
    const entries = [
      ...(since ? [since.change] : []),
      ...(label ? [JSON.stringify(label)] : []),
      ...(reversed ? ["reversed"] : []),
      ...(points > 2 ? [`by ${points - 2} points`] : []),
    ];
    return [`${scene.boxes[from]!.key} -> ${scene.boxes[to]!.key}`, ...entries].join(" ");
  });
  return [`${Math.round(width)} x ${Math.round(height)}`, ...boxes, ...lines.sort()].join("\n");
}

function factsOf(box: SceneBox): string[] {
  const flags = (["root", "hollow", "stale", "deleted"] as const).filter((name) => box[name]);
  return [
    box.icon,
    box.colour,
    ...(box.source === null ? [] : [`source=${box.source}`]),
    ...(box.kind === "fold" ? [`of=${box.members.length}`] : []),
    ...(box.alerts ? [`alerts=${box.alerts}`] : []),
    ...flags,
    ...(box.change ? [box.change] : []),
    ...(box.left ? [`left=+${box.left}`] : []),
    ...(box.right ? [`right=+${box.right}`] : []),
    ...(box.closes.left ? ["left=-"] : []),
    ...(box.closes.right ? ["right=-"] : []),
  ];
}

/** Opened cards of a scene as lines of text: what a test compares. Rows by card, then the lines between them. */
export function cardsText(open: OpenedCards, scene: Scene, chosen: string | null = null): string {
  const marks = { chosen: "*", path: "+", aside: " " } as const;
  const cards = [...scene.order].flatMap((box) => {
    const rows = open.rows(scene, box, chosen);
    if (rows.length === 0) return [];
    const { height } = rectOf(scene, box);
    const columns = rows.map(({ text, type, emphasis }) =>
      `${emphasis ? marks[emphasis] : "-"} ${[text, type].filter(Boolean).join(": ")}`
    );
    return [`${scene.boxes[box]!.key} ${height} high`, ...columns];
  });
  const path = open.path(chosen);
  const lines = open.lines(scene).map(({ edges, points, backwards, round }) => {
    const texts = [
      ...(edges.some((edge) => path?.edges.has(edge)) ? ["+"] : []),
      ...(backwards ? ["backwards"] : []),
      ...(round ? ["round"] : points.length > 4 ? [`by ${points.length / 2 - 2} points`] : []),
    ];
    return [...edges.map(({ from, to }) => `${from} -> ${to}`), ...texts].join(" ");
  });
  return [...cards, ...lines].join("\n");
}
