import "#web/messages/testing/english.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardsText } from "#web/graph/testing/scene-text.ts";
import { columnKey, columnPath, contentOf, maxRows } from "#web/graph/cards/content.ts";
import { sceneSvg } from "#web/graph/export/svg.ts";
import { noMarks } from "#web/graph/marks.ts";
import { paintBlocks } from "#web/graph/paint/from-far.ts";
import { Painter } from "#web/graph/paint.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { anyOpened, columnsAnswer, openedOf, placedWith } from "#web/graph/testing/cards.ts";
import { job, modelOf, node } from "#web/graph/testing/models.ts";
import { recorder, theme } from "#web/graph/testing/samples.ts";
import { notWellFormed } from "#web/graph/testing/xml.ts";

// Two tables, a job between them, and a table that the second one feeds.
const model = modelOf(
  [node(1, { name: "raw" }), node(2, job), node(3, { name: "facts" }), node(4)],
  [[1, 2], [2, 3], [3, 4]],
);
const texts = [
  "1.id:integer > 3.key",
  "1.total:number > 3.revenue",
  "1.tax > 3.revenue",
  "3.revenue > 4.sum",
  "3.day",
];

describe("opened cards", () => {
  it("show their columns, and lines between those of two that are open", () => {
    const one = openedOf([3], ...texts);
    expect(cardsText(one, placedWith(model, one).scene)).toBe(`e3 130 high
- key
- revenue
- day`);
    const two = openedOf([1, 3], ...texts);
    expect(cardsText(two, placedWith(model, two).scene)).toBe(`e1 130 high
- id: integer
- total: number
- tax
e3 130 high
- key
- revenue
- day
1.id -> 3.key by 2 points
1.total -> 3.revenue by 2 points
1.tax -> 3.revenue by 2 points`);
  });

  it("light the path of a chosen column, both ways", () => {
    const cards = openedOf([1, 3, 4], ...texts);
    expect(cardsText(cards, placedWith(model, cards).scene, "1.tax")).toBe(`e1 130 high
  id: integer
  total: number
* tax
e3 130 high
  key
+ revenue
  day
e4 90 high
+ sum
1.id -> 3.key by 2 points
1.total -> 3.revenue by 2 points
1.tax -> 3.revenue + by 2 points
3.revenue -> 4.sum +`);
  });

  it("show at most so many columns, first those that lineage is known of; one row stands for the rest", () => {
    const many = Array.from({ length: 40 }, (_, at) => `1.c${at}`);
    const cards = openedOf([1, 3], ...many, "1.c38 > 3.a", "1.c39 > 3.b");
    const { scene } = placedWith(model, cards);
    const rows = cards.rows(scene, scene.indexOf.get("e1")!, null);
    expect(rows).toHaveLength(maxRows + 1);
    expect(rows.slice(-4).map(({ text }) => text)).toEqual(["c7", "c38", "c39", "+30 more"]);
    const chosen = cards.rows(scene, scene.indexOf.get("e1")!, "1.c30");
    expect(chosen.at(-1)!.emphasis).toBe("chosen");
  });

  it("fold letter case, leave out datasets as a whole, and say when nothing is known", () => {
    const answer = columnsAnswer("1.ID > 3.Key");
    const whole = { ...answer, columns: [...answer.columns, { id: 9, dataset_id: 1, name: null }] };
    const edges = [...answer.edges, { source_id: 9, target_id: 2 }];
    const other = columnsAnswer("1.id > 3.key");
    const { cards, edges: found } = contentOf([
      { dataset: 1, answers: [{ ...whole, edges }, other] },
      { dataset: 3, answers: [] },
    ]);
    expect(cards.map(({ columns }) => columns.map(({ name }) => name))).toEqual([["ID"], ["Key"]]);
    expect(found).toEqual([{ from: columnKey(1, "id"), to: columnKey(3, "KEY") }]);
    const none = openedOf([1]);
    expect(cardsText(none, placedWith(model, none).scene)).toBe(
      "e1 90 high\n- No columns",
    );
  });

  it("are found at a point, their heads and rows apart, where rows are drawn", () => {
    const cards = openedOf([1], ...texts);
    const { scene } = placedWith(model, cards);
    const box = scene.indexOf.get("e1")!;
    const { x, y } = rectOf(scene, box);
    const at = (below: number, zoom = 1) => cards.at(scene, box, { x, y: y + below }, zoom);
    expect(at(48)).toBeNull();
    expect(at(65)).toEqual({ column: "1.id" });
    expect(at(123)).toEqual({ column: "1.tax" });
    expect(at(128)).toBeNull();
    expect(at(65, 0.5)).toBeNull();
  });
});

describe("the layout of opened cards", () => {
  it("lets no two boxes overlap, and leaves the clicked one where it was", () => {
    fc.assert(fc.property(anyOpened, ({ model, cards }) => {
      const anchor = `e${cards.content.cards[0]?.dataset ?? 0}`;
      const before = placedWith(model, null);
      const { scene } = placedWith(model, cards, before, anchor);
      const boxes = scene.boxes.map((_, box) => rectOf(scene, box));
      for (const [at, a] of boxes.entries()) {
        for (const b of boxes.slice(at + 1)) expect(overlap(a, b)).toBe(false);
      }
      const [was, is] = [before.scene, scene].map((one) => {
        const box = one.indexOf.get(anchor);
        return box === undefined ? null : rectOf(one, box);
      });
      if (!was || !is) return;
      expect(is.x).toBeCloseTo(was.x, 1);
      expect(is.y).toBeCloseTo(was.y, 1);
    }));
  });

  it("leads lines of columns past all boxes, from row to row", () => {
    fc.assert(fc.property(anyOpened, ({ model, cards }) => {
      const { scene } = placedWith(model, cards);
      for (const { points, round } of cards.lines(scene)) {
        expect(points.every(Number.isFinite)).toBe(true);
        if (round) continue;
        for (let at = 2; at + 3 < points.length - 2; at += 4) {
          const [ax, y, bx] = [points[at]!, points[at + 1]!, points[at + 2]!];
          const level = { x: Math.min(ax, bx), y, width: Math.abs(ax - bx), height: 0 };
          expect(scene.boxes.some((_, box) => overlap(rectOf(scene, box), level))).toBe(false);
        }
      }
    }));
  });
});

const overlap = (a: ReturnType<typeof rectOf>, b: ReturnType<typeof rectOf>) =>
  a.x < b.x + b.width - 0.02 && b.x < a.x + a.width - 0.02 &&
  a.y < b.y + b.height - 0.02 && b.y < a.y + a.height - 0.02;

describe("lines of columns", () => {
  it("go round to a card above or below, and backwards where a cycle closes", () => {
    const ring = modelOf([node(1), node(2), node(3)], [[1, 2], [2, 1], [1, 3]]);
    const cards = openedOf([1, 2, 3], "1.a > 2.a", "2.a > 1.a", "2.a > 3.a", "1.a > 1.b");
    expect(cardsText(cards, placedWith(ring, cards).scene).split("\n").slice(-4)).toEqual([
      "1.a -> 2.a",
      "2.a -> 1.a backwards",
      "2.a -> 3.a round",
      "1.a -> 1.b round",
    ]);
  });
});

describe("the path of a column", () => {
  it("has what feeds it and what it feeds, no side ways, and ends in a ring", () => {
    const edges = [["a", "b"], ["b", "c"], ["x", "c"], ["b", "d"], ["d", "a"]]
      .map(([from, to]) => ({ from: from!, to: to! }));
    expect([...columnPath(edges, "c").columns].sort()).toEqual(["a", "b", "c", "d", "x"]);
    expect([...columnPath(edges, "x").columns].sort()).toEqual(["c", "x"]);
    expect(columnPath(edges, "x").edges.size).toBe(1);
    expect([...columnPath([], "z").columns]).toEqual(["z"]);
  });
});

describe("pictures of opened cards", () => {
  const cards = openedOf([1, 3], ...texts, "1.<b>&\u202e\u0000 > 3.day");
  const { scene } = placedWith(model, cards);
  const painted = (of: Scene, zoom: number, column: string | null) => {
    const { brush, calls } = recorder();
    const view = { x: scene.bounds.width / 2, y: scene.bounds.height / 2, zoom };
    const marks = { ...noMarks(of), column };
    const size = { width: 2_000, height: 1_000 };
    const painter = new Painter(() => ({}));
    painter.extend({ paintBlocks });
    painter.paint(brush, { scene: of, view, size, ratio: 1, marks, theme });
    return calls.filter((call) => /fillText|bezier/.test(call)).join("\n");
  };

  it("have rows where cards are read, of further away the chosen path alone, and nothing from far", () => {
    const curves = (text: string) => text.split("bezierCurveTo").length - 1;
    const closed = { ...scene, cards: null };
    expect(painted(scene, 1, null)).toContain("fillText(revenue");
    expect(painted(scene, 0.5, null)).toBe(painted(closed, 0.5, null));
    expect(curves(painted(scene, 0.5, "1.tax"))).toBeGreaterThan(
      curves(painted(closed, 0.5, null)),
    );
    expect(painted(scene, 0.5, "1.tax")).not.toContain("fillText(revenue");
    expect(painted(scene, 0.1, "1.tax")).toBe(painted(closed, 0.1, null));
  });

  it("are well-formed as SVG, with the same rows and lines", () => {
    const svg = sceneSvg(scene, theme, { marks: { ...noMarks(scene), column: "1.tax" } });
    expect(notWellFormed(svg)).toBeNull();
    for (const text of [">revenue<", ">integer<", "&lt;b&gt;&amp;"]) expect(svg).toContain(text);
  });
});
