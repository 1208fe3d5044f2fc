import "#web/messages/testing/english.ts";
import { describe, expect, it } from "vitest";
import { iconPaths } from "#web/graph/icon-paths.ts";
import { marksOf, noMarks } from "#web/graph/marks.ts";
import { LineLayer, paintBlocks } from "#web/graph/paint/from-far.ts";
import { Painter, type Picture } from "#web/graph/paint.ts";
import { cutText, TextCutter } from "#web/graph/text.ts";
import type { Scene } from "#web/graph/scene.ts";
import { boardScene, largeScene, recorder, theme } from "#web/graph/testing/samples.ts";
import { fit } from "#web/graph/viewport.ts";

const size = { width: 1_000, height: 600 };
const makePath = (data: string) => Object(data.slice(0, 8)) as object;

const scene = boardScene(
  [
    {
      id: 1,
      column: 0,
      row: 0,
      node: { name: "orders", hasAlerts: true },
      view: { hiddenParents: 4 },
    },
    { id: 2, column: 1, row: 0, node: { name: "sums", hollow: true, stale: true } },
    {
      id: 3,
      column: 1,
      row: 1,
      node: { name: "old", status: "DELETED", source: { id: 2, name: "b" } },
    },
  ],
  [[1, 2], [3, 1]],
);

function painted(scene: Scene, picture: Partial<Picture> = {}): string[] {
  const { brush, calls } = recorder();
  const view = { x: 280, y: 68, zoom: 1 };
  const whole = {
    scene,
    view,
    size,
    ratio: 1,
    marks: { ...noMarks(scene), icons: iconPaths },
    theme,
    ...picture,
  };
  const painter = new Painter(makePath);
  painter.extend({ paintBlocks });
  painter.paint(brush, whole);
  return calls;
}

const texts = (calls: string[]) =>
  calls.filter((call) => call.startsWith("fillText")).map((call) => call.slice(9).split(",")[0]);

describe("the painter", () => {
  it("draws cards from near: names, second lines, icons of states, counts at the sides", () => {
    const calls = painted(scene);
    expect(texts(calls))
      .toEqual(["orders", "sums", "old", "Table", "Table", "Table", "+4", "This asset"]);
    expect(calls).toContain("setLineDash(8,5)");
    expect(calls.filter((call) => call.startsWith("stroke(M"))).toHaveLength(3 + 4);
    expect(calls.filter((call) => call.startsWith("bezierCurveTo"))).toHaveLength(1);
    expect(calls, "the line that closes a cycle").toContain("setLineDash(7,5)");
  });

  it("draws names alone at a middle distance, and blocks in the colour of their cards from far", () => {
    const middle = painted(scene, { view: { x: 280, y: 68, zoom: 0.5 } });
    expect(texts(middle)).toEqual(["orders", "sums", "old", "+4", "This asset"]);
    const far = painted(scene, { view: { x: 280, y: 68, zoom: 0.1 }, isSmall: true });
    expect(texts(far)).toEqual([]);
    expect(far.filter((call) => /^fill(Style|Rect)/.test(call))).toEqual([
      "fillStyle=white",
      "fillRect(0,0,1000,600)",
      "fillStyle=blue",
      "fillRect(0,0,240,64)",
      "fillStyle=data_set",
      "fillRect(340,0,240,64)",
      "fillRect(340,80,240,64)",
      "fillStyle=red",
    ]);
  });

  it("draws nothing that is out of view", () => {
    const calls = painted(scene, { view: { x: 1_160, y: 68, zoom: 1 } });
    expect(texts(calls)).toEqual([]);
    expect(calls.filter((call) => /^(roundRect|moveTo|bezier)/.test(call))).toEqual([]);
    expect(texts(painted(scene, { view: { x: 840, y: 68, zoom: 1 } }))).toEqual([
      "sums",
      "old",
      "Table",
      "Table",
    ]);
  });

  it("fades what is not on the path, and draws a ring around the focus", () => {
    const marks = { ...marksOf(scene, { path: new Set(["e1", "e2"]) }), focus: 1 };
    const calls = painted(scene, { marks });
    const faded = calls.slice(
      calls.indexOf("globalAlpha=0.28", calls.indexOf("fillStyle=white") + 20),
    );
    expect(calls.filter((call) => call === "globalAlpha=0.28")).toHaveLength(2);
    expect(faded.join("\n")).toContain("fillText(old");
    expect(calls).toContain("roundRect(337,-3,246,70,9)");
    expect(calls.filter((call) => call === "strokeStyle=blue").length).toBeGreaterThan(1);
  });

  it("asks as much of the canvas as there are pixels, not as there are boxes", () => {
    const large = largeScene(20, 1_000);
    const calls = painted(large, { view: fit(large.bounds, size) });
    expect(calls.filter((call) => call.startsWith("fillRect")).length).toBeLessThan(20 * 300 + 2);
    expect(calls.filter((call) => call.startsWith("stroke(")).length).toBeLessThan(100);
    expect(calls.filter((call) => call.startsWith("fillStyle")).length).toBeLessThan(10);
    const one = largeScene(20, 1_000, 1);
    const same = painted(one, { view: fit(one.bounds, size) });
    expect(
      same.filter((call) => call.startsWith("fillRect")),
      "one colour: one block a column, and the start",
    )
      .toHaveLength(1 + 20 + 1);
  });

  it("shows on far blocks what is marked, whatever lies on the same pixels", () => {
    const large = largeScene(1, 10_000);
    const marks = marksOf(large, { selected: new Set(["e5001"]) });
    const calls = painted(large, { view: fit(large.bounds, size), marks });
    expect(calls).toContain("fillStyle=blue");
  });

  it("paints thousands of lines once while the view moves, and again when it rests", () => {
    const large = largeScene(20, 100);
    const marks = noMarks(large);
    const hidden = recorder();
    const painter = new Painter(makePath);
    const layer = new LineLayer(() => ({ brush: hidden.brush, image: {} }));
    painter.extend({ paintBlocks, layer });
    const view = fit(large.bounds, size);
    const strokes = (moving: boolean, x: number) => {
      const { brush, calls } = recorder();
      const picture = { scene: large, view: { ...view, x }, size, ratio: 1, marks, theme };
      painter.paint(brush, { ...picture, moving });
      const count = (of: string[]) => of.filter((call) => call.startsWith("stroke(")).length;
      const images = calls.filter((call) => call.startsWith("drawImage")).length;
      return [count(calls), images, count(hidden.calls.splice(0))];
    };
    expect(strokes(true, view.x)).toEqual([0, 1, 8]);
    expect(strokes(true, view.x + 100)).toEqual([0, 1, 0]);
    expect(strokes(true, view.x + 90_000)).toEqual([0, 1, 0]);
    expect(strokes(false, view.x)).toEqual([8, 0, 0]);
  });

  it("paints nothing but the ground of an empty scene", () => {
    expect(painted(boardScene([])).filter((call) => /^(fillRect|stroke\()/.test(call)))
      .toEqual(["fillRect(0,0,1000,600)"]);
  });
});

describe("text that is cut", () => {
  const measure = (text: string) => [...text].length;

  it("fits, is as long as it can be, and takes no written character apart", () => {
    expect(cutText("abcdef", 6, measure)).toBe("abcdef");
    expect(cutText("abcdefg", 4, measure)).toBe("abc…");
    expect(cutText("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 9, measure)).toBe("👩‍👩‍👧‍👦…");
    expect(cutText("abc", 0, measure)).toBe("…");
  });

  it("is measured once, and forgotten when there is too much of it", () => {
    let measured = 0;
    const counting = (text: string) => (measured++, text.length);
    const cutter = new TextCutter();
    cutter.cut("12px x", "abcdefgh", 4, counting);
    const once = measured;
    cutter.cut("12px x", "abcdefgh", 4, counting);
    expect(measured).toBe(once);
    for (let index = 0; index < 5_000; index++) cutter.cut("12px x", `t${index}`, 9, counting);
    expect(cutter.size).toBe(4_000);
  });
});
