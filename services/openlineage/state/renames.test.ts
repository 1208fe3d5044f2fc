import { describe, expect, it } from "vitest";
import { edges, items, job, runEvent, symlink, t, table } from "../testing/cases.ts";
import { mapAll, plainRules, stateOf } from "../testing/memory.ts";
import { seeded } from "#test/support/random.ts";
import { shuffled } from "../testing/random-events.ts";
import type { InputEvent } from "./model.ts";

const life = (change: string, before?: string) => ({
  lifecycleStateChange: {
    lifecycleStateChange: change,
    ...before === undefined ? {} : { previousIdentifier: { namespace: "n", name: before } },
  },
});
const write = (at: number, name: string, facets = {}, of = "build"): InputEvent =>
  runEvent("COMPLETE", at, {
    name: of,
    run_id: at,
    inputs: [t("src")],
    outputs: [t(name, facets)],
  });
const alter = (at: number, name: string, facets: Record<string, unknown>): InputEvent =>
  runEvent("COMPLETE", at, { name: `alter${at}`, run_id: at, outputs: [t(name, facets)] });
const read = (at: number, name: string): InputEvent =>
  runEvent("COMPLETE", at, { name: "report", run_id: at, inputs: [t(name)], outputs: [t("rep")] });

/** The tables that live, whatever the order of events. */
function live(events: InputEvent[]): string[] {
  const named = (all: Iterable<string>) =>
    [...all].filter((catrn) => catrn.includes("/datasets/")).map((catrn) =>
      catrn.split("/").at(-1)!
    )
      .sort();
  const tables = named(items(events, 9_000).keys());
  for (let seed = 1; seed <= 20; seed++) {
    const other = mapAll(stateOf(shuffled(seeded(seed), events)), { ...plainRules, now: 9e6 });
    expect([seed, named(other.keys())]).toEqual([seed, tables]);
  }
  return tables;
}

/** A nightly build next to the live table, which it then replaces. */
const swap = ([fresh, current, old]: [string, string, string], from = 100) => [
  write(from, fresh),
  alter(from + 10, old, life("RENAME", current)),
  alter(from + 20, current, life("RENAME", fresh)),
];

describe("a table that is swapped with a fresh one", () => {
  const day = ([, current]: string[]) => [write(10, current!), read(20, current!)];
  const names: [string, string, string][] = [
    ["t__new", "t", "t__old"],
    ["new_t", "t", "old_t"],
    ["a", "b", "c"],
    ["z", "y", "x"],
  ];

  it.each(names)("lives, and what it was goes with its DROP: %s, %s, %s", (...of) => {
    const [, current, old] = of;
    const swapped = [...day(of), ...swap(of)];
    expect(live(swapped)).toEqual(["rep", "src", current, old].sort());
    const dropped = [...swapped, alter(130, old, life("DROP"))];
    expect(live(dropped)).toEqual(["rep", "src", current].sort());
    const repeated = [...dropped, read(140, current)];
    expect(live(repeated)).toEqual(["rep", "src", current].sort());
    expect(edges(repeated, 9_000, "build").outputs).toEqual([current]);
    expect(edges(repeated, 9_000, "report").inputs).toEqual([current]);
  });

  it("lives when it is swapped night after night, and when what is left of a night is dropped late", () => {
    const of = names[0]!;
    const nights = [100, 200, 300].flatMap((from) => [
      ...swap(of, from),
      alter(from + 30, of[2], life("DROP")),
      alter(from + 40, of[0], life("DROP")),
    ]);
    expect(live([...day(of), ...nights])).toEqual(["rep", "src", "t"]);
    expect(live([...day(of), ...nights.slice(0, 5), ...swap(of, 200)]))
      .toEqual(["rep", "src", "t", "t__old"]);
  });

  it("lives when all of it happens at one time", () => {
    const of = names[0]!;
    const simultaneous = [...swap(of), alter(100, of[2], life("DROP"))].map((event) => (
      { ...event, at: 100_000 }
    ));
    expect(live([...day(of), ...simultaneous])).toEqual(["rep", "src", "t"]);
    const exchanged = { outputs: [t("t", life("RENAME", "u")), t("u", life("RENAME", "t"))] };
    const both = [
      ...day(of),
      write(30, "u"),
      runEvent("COMPLETE", 40, { run_id: 40, ...exchanged }),
    ];
    expect(live(both)).toEqual(["rep", "src", "t", "u"]);
  });

  it("lives when the fresh one, or itself, was dropped before", () => {
    const of = names[0]!;
    const [fresh, current, old] = of;
    const cleaned = [...day(of), alter(50, fresh, life("DROP")), ...swap(of).slice(1)];
    expect(live([...cleaned, alter(130, old, life("DROP"))])).toEqual(["rep", "src", "t"]);
    const replaced = [...day(of), write(30, fresh), alter(40, current, life("DROP"))];
    expect(live(replaced)).toEqual(["rep", "src", "t__new"]);
    expect(live([...replaced, alter(50, current, life("RENAME", fresh))]))
      .toEqual(["rep", "src", "t"]);
  });

  it("lives when events name it by its place alone", () => {
    const at = (seconds: number, place: string, name: string, change = {}) =>
      alter(seconds, place, { ...symlink(name, "TABLE"), ...change });
    const before = [at(10, "s1", "t"), at(50, "s2", "t__new"), read(60, "t")];
    const swapped = [
      at(100, "s1", "t__old", life("RENAME", "t")),
      at(110, "s2", "t", life("RENAME", "t__new")),
    ];
    expect(live([...before, ...swapped])).toEqual(["rep", "t", "t__old"]);
    expect(live([...before, ...swapped, at(120, "s1", "t__old", life("DROP"))]))
      .toEqual(["rep", "t"]);
  });
});

describe("a name that a RENAME took away", () => {
  it("goes, with what touched it, until an event names it again", () => {
    const renamed = [write(10, "a"), read(20, "a"), alter(30, "b", life("RENAME", "a"))];
    expect(live(renamed)).toEqual(["b", "rep", "src"]);
    expect(edges(renamed, 9_000, "report").inputs).toEqual(["b"]);
    expect(live([...renamed, read(40, "a")])).toEqual(["a", "b", "rep", "src"]);
  });

  it("goes by its last name when it was renamed several times, and back", () => {
    const renamed = [
      write(10, "a"),
      alter(20, "b", life("RENAME", "a")),
      alter(30, "c", life("RENAME", "b")),
    ];
    expect(live(renamed)).toEqual(["c", "src"]);
    const back = [...renamed, alter(40, "a", life("RENAME", "c"))];
    expect(live(back)).toEqual(["a", "src"]);
    expect(items(back, 9_000).get(job("build"))!.data_transformer!.outputs).toEqual([table("a")]);
  });

  it("stands for one table when it is taken away twice", () => {
    const retained = [1, 2].flatMap((n) => [
      write(n * 100, "t"),
      alter(n * 100 + 10, `t_${n}`, life("RENAME", "t")),
    ]);
    expect(live(retained)).toEqual(["src", "t_1", "t_2"]);
  });
});
