import { describe, expect, it } from "vitest";
import { columns, edges, items, runEvent, symlink, t, table } from "../testing/cases.ts";
import { maxGroup } from "./aliases.ts";
import type { EventType, InputEvent } from "./model.ts";

describe("a dataset", () => {
  const fields = (events: InputEvent[]) =>
    items(events).get(table("t"))!.dataset!.field_list.map(({ name }) => name);
  const written = (type: EventType, at: number, ...names: string[]) =>
    runEvent(type, at, { outputs: [t("t", columns(...names))] });
  const read = (at: number, ...names: string[]) =>
    runEvent("COMPLETE", at, { inputs: [t("t", columns(...names))], run_id: 2 });

  it("has the columns of what was written; inputs only add while there is nothing else", () => {
    expect(fields([read(5, "b"), read(6, "a")])).toEqual(["a", "b"]);
    expect(fields([written("COMPLETE", 1, "x", "y"), read(5, "x")])).toEqual(["x", "y"]);
    expect(fields([written("COMPLETE", 1, "x", "y"), written("FAIL", 2, "z")])).toEqual(["x", "y"]);
    expect(fields([written("COMPLETE", 1, "x", "y"), written("COMPLETE", 3, "z")])).toEqual(["z"]);
  });

  it("is gone when it was dropped, until it is written again", () => {
    const drop: InputEvent = {
      kind: "dataset",
      at: 5_000,
      dataset: t("t", { lifecycleStateChange: { lifecycleStateChange: "DROP" } }),
    };
    const before = written("COMPLETE", 1, "x");
    expect(items([before, drop]).has(table("t"))).toBe(false);
    expect(items([before, drop, read(9, "x")]).has(table("t"))).toBe(false);
    expect(items([before, drop, written("COMPLETE", 6, "x")]).has(table("t"))).toBe(true);
  });
});

describe("other names", () => {
  const write = (at: number, name: string, facets = {}, run_id = at) =>
    runEvent("COMPLETE", at, { run_id, outputs: [t(name, facets)] });

  it("a symlink that comes late joins what was two", () => {
    const early = [
      write(1, "s3/path"),
      runEvent("COMPLETE", 2, { run_id: 2, name: "k", inputs: [t("tbl")] }),
    ];
    expect(items(early).has(table("s3/path"))).toBe(true);
    const all = [...early, write(3, "s3/path", symlink("tbl", "TABLE"))];
    expect(items(all).has(table("s3/path"))).toBe(false);
    expect(edges(all).outputs).toEqual(["tbl"]);
    expect(edges(all, 600, "k").inputs).toEqual(["tbl"]);
  });

  it("a table that moved to another location is no longer an other name of the old one", () => {
    const all = [write(1, "s1", symlink("tbl", "TABLE")), write(2, "s2", symlink("tbl", "TABLE"))];
    expect(edges(all).outputs).toEqual(["s1", "tbl"]);
    const [a, b] = all;
    expect(edges([{ ...a!, at: 9_000 }, b!]).outputs).toEqual(["s2", "tbl"]);
  });

  it("of two tables at one location the one written last counts", () => {
    const all = [
      write(1, "old", symlink("s", "LOCATION")),
      write(2, "new", symlink("s", "LOCATION")),
    ];
    const found = items([...all, write(3, "s")]);
    expect(edges([...all, write(3, "s")]).outputs).toEqual(["new", "old"]);
    expect(found.has(table("s"))).toBe(false);
  });

  it("keeps at most fifty of a dataset", () => {
    const names = Array.from({ length: maxGroup + 1 }, (_, n) => `t${100 + n}`);
    const rename = (n: number) => ({
      lifecycleStateChange: {
        lifecycleStateChange: "RENAME",
        previousIdentifier: { namespace: "n", name: names[n - 1] },
      },
    });
    const all = names.map((name, n) => write(n + 1, name, n === 0 ? {} : rename(n)));
    const posted = [...items(all).keys()].filter((catrn) => catrn.includes("/datasets/"));
    expect(posted).toHaveLength(2);
  });
});
