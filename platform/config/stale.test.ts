import { describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";

const file = "/nonexistent/tributary.yaml";
const loaded = (env: Record<string, string>) => loadConfig({ env, file }).housekeeping.stale;
const policy = {
  HOUSEKEEPING_STALE_SOURCES_0_SOURCE: "//x/shop",
  HOUSEKEEPING_STALE_SOURCES_0_ACT: "edges",
};

describe("housekeeping.stale", () => {
  it("is off, with a fuse of a fifth and twenty", () => {
    expect(loaded({})).toEqual({
      sources: [],
      fuse: 0.2,
      "fuse-min": 20,
      every: 3_600_000,
      "dry-run": false,
    });
  });

  it("takes a policy of variables", () => {
    const { sources, fuse } = loaded({ ...policy, HOUSEKEEPING_STALE_FUSE: "0.05" });
    expect(sources).toEqual([{ source: "//x/shop", after: 14 * 86_400_000, act: "edges" }]);
    expect(fuse).toBe(0.05);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["a source that is no CATRN", { HOUSEKEEPING_STALE_SOURCES_0_SOURCE: "shop" }, /source/],
    ["another act", { HOUSEKEEPING_STALE_SOURCES_0_ACT: "hide" }, /act/],
    ["less than an hour", { HOUSEKEEPING_STALE_SOURCES_0_AFTER: "59 min" }, /1 h to 90 d/],
    ["more than 90 days", { HOUSEKEEPING_STALE_SOURCES_0_AFTER: "91 d" }, /1 h to 90 d/],
    ["a look a minute", { HOUSEKEEPING_STALE_EVERY: "1 min" }, /10 min to 1 d/],
    ["more than all", { HOUSEKEEPING_STALE_FUSE: "1.1" }, /fuse/],
  ])("refuses %s", (_, env, message) => {
    expect(() => loaded({ ...policy, ...env })).toThrow(message);
  });
});
