import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  between,
  clamped,
  fit,
  moveTime,
  pan,
  reveal,
  seen,
  toScreen,
  toWorld,
  viewportOf,
  viewportText,
  zoomAt,
  zoomRange,
} from "#web/graph/viewport.ts";

const number = (min: number, max: number) => fc.double({ min: min, max: max, noNaN: true });
const view = fc.record({ x: number(-1e6, 1e6), y: number(-1e6, 1e6), zoom: number(0.01, 2.5) });
const size = fc.record({ width: number(50, 4_000), height: number(50, 4_000) });
const point = fc.record({ x: number(0, 4_000), y: number(0, 4_000) });

describe("a viewport", () => {
  it("maps the screen to the drawing and back", () => {
    fc.assert(fc.property(view, size, point, (view, size, point) => {
      const back = toScreen(view, size, toWorld(view, size, point));
      expect(back.x).toBeCloseTo(point.x, 3);
      expect(back.y).toBeCloseTo(point.y, 3);
    }));
  });

  it("keeps what is under the pointer when it zooms, and what is dragged when it pans", () => {
    fc.assert(fc.property(view, size, point, number(0.2, 5), (view, size, point, factor) => {
      const zoomed = zoomAt(view, size, point, factor);
      const [was, is] = [toWorld(view, size, point), toWorld(zoomed, size, point)];
      expect(Math.abs(is.x - was.x) * zoomed.zoom).toBeLessThan(0.01);
      expect(zoomed.zoom).toBeLessThanOrEqual(zoomRange.max);
      const panned = toScreen(pan(view, 30, -20), size, toWorld(view, size, point));
      expect(panned.x).toBeCloseTo(point.x + 30, 3);
      expect(panned.y).toBeCloseTo(point.y - 20, 3);
    }));
  });

  it("fits all in, and magnifies nothing", () => {
    const bounds = { x: 10, y: 20, width: 5_000, height: 100 };
    const fitted = fit(bounds, { width: 1_000, height: 500 });
    const visible = seen(fitted, { width: 1_000, height: 500 });
    expect(visible.x).toBeLessThan(10);
    expect(visible.x + visible.width).toBeGreaterThan(5_010);
    expect(fit({ x: 0, y: 0, width: 10, height: 10 }, { width: 900, height: 900 }).zoom).toBe(1);
    expect(fit({ x: 0, y: 0, width: 0, height: 0 }, { width: 0, height: 0 }).zoom).toBeGreaterThan(
      0,
    );
  });

  it("never loses the drawing", () => {
    const bounds = { x: 0, y: 0, width: 100, height: 100 };
    expect(clamped({ x: -900, y: 5_000, zoom: 9 }, bounds)).toEqual({ x: 0, y: 100, zoom: 2.5 });
  });

  it("reveals a box by the shortest way, and stays when it is seen", () => {
    const [view, size] = [{ x: 0, y: 0, zoom: 1 }, { width: 400, height: 400 }];
    expect(reveal(view, size, { x: -20, y: -20, width: 40, height: 40 })).toEqual(view);
    expect(reveal(view, size, { x: 300, y: 0, width: 40, height: 40 }).x).toBe(188);
    expect(reveal(view, size, { x: -900, y: 0, width: 2_000, height: 40 }).x).toBe(100);
  });

  it("moves between two, and at once for people who asked for less motion", () => {
    const [from, to] = [{ x: 0, y: 0, zoom: 0.1 }, { x: 100, y: 50, zoom: 1 }];
    expect(between(from, to, 0)).toEqual(from);
    expect(between(from, to, 1).zoom).toBeCloseTo(1);
    expect(between(from, to, 0.5).zoom).toBeCloseTo(Math.sqrt(0.1));
    expect([moveTime(true), moveTime(false)]).toEqual([0, 200]);
  });

  it("is a short text in an address and comes back from it", () => {
    fc.assert(fc.property(view, (view) => {
      const text = viewportText(view);
      expect(text.length).toBeLessThan(40);
      const back = viewportOf(text)!;
      expect(Math.abs(back.x - view.x)).toBeLessThan(0.06);
      expect(back.zoom).toBeCloseTo(view.zoom, 3);
      expect(viewportText(back)).toBe(text);
    }));
  });

  it("takes no other text for one", () => {
    for (
      const text of ["", "1,2", "1,2,0", "1,2,NaN", "1e9,2,1", "9999999999,0,1", "a,b,c", null]
    ) {
      expect(viewportOf(text)).toBeNull();
    }
    fc.assert(fc.property(fc.string(), (text) => {
      const found = viewportOf(text);
      expect(found === null || Number.isFinite(found.x + found.y + found.zoom)).toBe(true);
    }));
  });
});
