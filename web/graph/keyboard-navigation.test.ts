import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyboardNavigation, type Move } from "#web/graph/keyboard-navigation.ts";
import type { Scene } from "#web/graph/scene.ts";
import { boardScene } from "#web/graph/testing/samples.ts";

const moves: Move[] = ["left", "right", "up", "down"];

/** Boxes on a board and lines in any direction, loops and cycles too. */
const scenes = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(7)), {
  minLength: 1,
  maxLength: 20,
  selector: String,
}).chain((positions) => {
  const id = fc.integer({ min: 1, max: positions.length });
  return fc.array(fc.tuple(id, id), { maxLength: 40 }).map((edges) =>
    boardScene(positions.map(([column, row], index) => ({ id: index + 1, column, row })), edges)
  );
});

function reached(scene: Scene, from: number, by: Move[]): Set<number> {
  const keyboardNavigation = new KeyboardNavigation(scene);
  const found = new Set([from]);
  for (const box of found) for (const move of by) found.add(keyboardNavigation.next(box, move));
  return found;
}

describe("arrow keys", () => {
  it("come by every box, from every box", () => {
    fc.assert(fc.property(scenes, (scene) => {
      for (let box = 0; box < scene.boxes.length; box++) {
        expect(reached(scene, box, moves).size).toBe(scene.boxes.length);
      }
    }));
  });

  it("lead along lines where there are any, to the nearest column and height", () => {
    const scene = boardScene(
      [
        { id: 1, column: 0, row: 2 },
        { id: 2, column: 1, row: 0 },
        { id: 3, column: 1, row: 3 },
        { id: 4, column: 2, row: 2 },
        { id: 5, column: 1, row: 2 },
      ],
      [[1, 2], [1, 3], [1, 4]],
    );
    const keyboardNavigation = new KeyboardNavigation(scene);
    expect(keyboardNavigation.next(0, "right")).toBe(2);
    expect(keyboardNavigation.next(2, "left")).toBe(0);
    expect(keyboardNavigation.next(2, "right"), "no children: the next column").toBe(3);
    expect(keyboardNavigation.next(1, "down")).toBe(4);
    expect(keyboardNavigation.next(2, "down"), "the end of a column: the next").toBe(3);
    expect(keyboardNavigation.next(0, "left"), "where the drawing ends").toBe(0);
    expect(keyboardNavigation.next(0, "up")).toBe(3);
  });

  it("start at the root, and have nowhere to go in an empty drawing", () => {
    const scene = boardScene([{ id: 7, column: 0, row: 0 }, { id: 1, column: 1, row: 0 }]);
    expect(new KeyboardNavigation(scene).next(-1, "right")).toBe(1);
    expect(new KeyboardNavigation(boardScene([])).next(-1, "down")).toBe(-1);
  });
});
