import { describe, expect, it } from "vitest";
import { minimapFrame, minimapPoint, paintMinimap } from "#web/graph/minimap.ts";
import { Painter } from "#web/graph/paint.ts";
import { largeScene, recorder, theme } from "#web/graph/testing/samples.ts";
import { fit } from "#web/graph/viewport.ts";

const scene = largeScene(4, 10);
const [map, screen] = [{ width: 180, height: 120 }, { width: 800, height: 600 }];

describe("the small map", () => {
  it("frames what the screen shows, cut to the map", () => {
    const all = minimapFrame(scene, map, fit(scene.bounds, screen), screen);
    expect(all.width * all.height).toBeGreaterThan(0.5 * map.width * map.height);
    expect(all.x + all.width).toBeLessThanOrEqual(map.width);
    const corner = minimapFrame(scene, map, { x: 0, y: 0, zoom: 2 }, screen);
    expect(corner.width).toBeLessThan(40);
    const away = minimapFrame(scene, map, { x: 1e6, y: 0, zoom: 1 }, screen);
    expect(away.width).toBe(0);
  });

  it("leads to the point that was clicked", () => {
    const middle = minimapPoint(scene, map, { x: 90, y: 60 });
    expect(middle).toEqual({ x: scene.bounds.width / 2, y: scene.bounds.height / 2 });
  });

  it("shows all of the scene as blocks", () => {
    const { brush, calls } = recorder();
    paintMinimap(new Painter(() => ({})), brush, { scene, theme, size: map, ratio: 2 });
    expect(calls.filter((call) => call.startsWith("fillText"))).toEqual([]);
    expect(calls.filter((call) => call.startsWith("fillRect")).length).toBeGreaterThan(4);
  });
});
