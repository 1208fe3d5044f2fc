import type { OpenedCards } from "#web/graph/cards/opened.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";

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
