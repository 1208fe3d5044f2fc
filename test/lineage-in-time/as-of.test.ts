import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Direction, EdgePair } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { type Harness, harness } from "#services/ingest-consumer/testing/harness.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { seeded } from "#test/support/random.ts";
import { referenceDegrees, referenceWalk } from "#test/support/seed/lineage-reference.ts";
import { sized } from "#test/support/size.ts";
import { type History, lived } from "./history.ts";
import { type CatalogueState, pairsOf, type Triple } from "./model.ts";

// Random histories are lived through the ways that users and collectors have, and by a model in memory. Then
// the catalogue is requested the past, and must answer what the model was told. `LINEAGE_HISTORIES=100` for more.
const histories = Number(process.env.LINEAGE_HISTORIES ?? sized(1, 20));
const firstSeed = Number(process.env.LINEAGE_SEED ?? 1);
const stepsOfEach = 30;
const momentsOfEach = 50;

const nothing: CatalogueState = { alive: new Set(), edges: [] };
const iso = (ms: number) => new Date(ms).toISOString();
const spelled = (edges: readonly EdgePair[]) => edges.map((edge) => edge.join(">")).sort();

describe.each(Array.from({ length: histories }, (_, n) => firstSeed + n))("history %s", (seed) => {
  let at: Harness;
  let context: Context;
  let api: TestApi;
  /** The same with less room for a walk. */
  let budgets: TestApi[];
  let history: History;
  const random = seeded(seed);

  beforeAll(async () => {
    at = await harness();
    context = testContext(at);
    api = testApi([...statusRoutes(context), ...lineageRoutes(context)], context);
    budgets = [3, 6, 100].map((maxNodes) => {
      const lineage = { ...context.config.lineage, "max-nodes": maxNodes };
      const config = { ...context.config, lineage };
      return testApi(lineageRoutes({ ...context, config }));
    });
    history = await lived(at, api, `//history/${seed}`, stepsOfEach, random);
  });
  afterAll(async () => {
    await context.wakeups.close();
    await at.drop();
  });

  /** What was held at a time; undefined while a step was under way. */
  function stateAt(time: number): CatalogueState | undefined {
    const done = history.steps.filter(({ last }) => last <= time);
    const begun = history.steps.filter(({ first }) => first <= time);
    return done.length === begun.length ? done.at(-1)?.after ?? nothing : undefined;
  }

  /** A time at which no step was under way. */
  function someTime(): { time: number; state: CatalogueState } {
    for (;;) {
      const { began, ended } = history;
      const time = Math.floor(began + random() * (ended - began));
      const state = stateAt(time);
      if (state) return { time, state };
    }
  }

  const someRoots = (count: number) =>
    Array.from({ length: count }, () => history.ids[Math.floor(random() * history.ids.length)]!);
  const someDirection = (): Direction => random() < 0.5 ? "upstream" : "downstream";

  async function compare(time: number, state: CatalogueState, root: number): Promise<void> {
    const direction = someDirection();
    const depth = 1 + Math.floor(random() * 4);
    const query = `lineage_depth=${depth}&as_of=${iso(time)}`;
    const { status, json } = await api.get(
      `/api/dataentities/${root}/lineage/${direction}?${query}`,
    );
    const request = { time, root, direction, depth };
    expect({ ...request, status }).toEqual({
      ...request,
      status: state.alive.has(root) ? 200 : 404,
    });
    if (status !== 200) return;
    const edges = pairsOf(state.edges);
    const expected = referenceWalk(edges, { roots: [root], direction, depth, maxNodes: 1e6 });
    const { nodes, edges: found } = json[direction];
    const foundPairs = found.map((e: Record<string, number>) => [e.source_id, e.target_id]);
    expect({ ...request, edges: spelled(foundPairs) })
      .toEqual({ ...request, edges: spelled(expected.edges) });
    for (const { id, parents_count: parents, children_count: children } of nodes) {
      expect({ ...request, id, parents, children })
        .toEqual({ ...request, id, ...referenceDegrees(edges, id) });
    }
  }

  it("as-of answers equal those recorded at the time, at random times", async () => {
    for (let n = 0; n < momentsOfEach; n++) {
      const { time, state } = someTime();
      for (const root of someRoots(2)) await compare(time, state, root);
    }
  });

  it("as-of answers equal those recorded at the time, at the very moment of each change and just before", async () => {
    // A step that changes nothing is left out; in some histories that is more than half of them.
    expect(history.steps.length).toBeGreaterThan(stepsOfEach / 4);
    let before = nothing;
    for (const { first, last, after } of history.steps) {
      for (const root of someRoots(2)) {
        await compare(first - 1, before, root);
        await compare(last, after, root);
      }
      before = after;
    }
  });

  it("differs between two times by what came and went", async () => {
    for (let n = 0; n < 15; n++) {
      const [one, other] = [someTime(), someTime()].sort((a, b) => a.time - b.time);
      const [root] = someRoots(1);
      const there = one!.state.alive.has(root!) || other!.state.alive.has(root!);
      if (one!.time === other!.time || !there) continue;
      await compareDiff(one!, other!, root!);
    }
  });

  async function compareDiff(
    from: { time: number; state: CatalogueState },
    to: { time: number; state: CatalogueState },
    root: number,
  ): Promise<void> {
    const direction = someDirection();
    const narrow = budgets[Math.floor(random() * budgets.length)]!;
    const { status, json } = await narrow.get(
      `/api/dataentities/${root}/lineage/${direction}/diff?lineage_depth=4&include_same=true` +
        `&from=${iso(from.time)}&to=${iso(to.time)}`,
    );
    expect(status).toBe(200);
    const depth: number = json.whole_depth;
    const walk = ({ alive, edges }: CatalogueState) =>
      alive.has(root) && depth > 0
        ? referenceWalk(pairsOf(edges), { roots: [root], direction, depth, maxNodes: 1e6 }).edges
        : [];
    const changeList = (...changes: string[]): string[] =>
      json.edges.filter((e: { change: string }) => changes.includes(e.change))
        .map((e: Record<string, number>) => `${e.source_id}>${e.target_id}`);
    const gone = new Set(changeList("removed", "unreached"));
    const applied = [
      ...spelled(walk(from.state)).filter((edge) => !gone.has(edge)),
      ...changeList("added", "reached"),
    ].sort();
    expect({ root, depth, edges: applied }).toEqual({
      root,
      depth,
      edges: spelled(walk(to.state)),
    });
    const stood = ({ edges }: CatalogueState) => new Set(spelled(pairsOf(edges)));
    const [before, after] = [stood(from.state), stood(to.state)];
    expect(changeList("added").filter((edge) => before.has(edge))).toEqual([]);
    expect(changeList("removed").filter((edge) => after.has(edge))).toEqual([]);
    for (const edge of changeList("reached")) expect(before).toContain(edge);
    for (const edge of changeList("unreached")) expect(after).toContain(edge);
  }

  it("has changes that lead from what stood at one time to what stood at another", async () => {
    for (let n = 0; n < 5; n++) {
      const [one, other] = [someTime(), someTime()].sort((a, b) => a.time - b.time);
      if (one!.time === other!.time) continue;
      const edges = new Set(one!.state.edges.map(String));
      for (const { change, edge } of (await changesBetween(one!.time, other!.time)).reverse()) {
        if (change === "added") edges.add(String(edge));
        else edges.delete(String(edge));
      }
      expect([...edges].sort()).toEqual(other!.state.edges.map(String).sort());
    }
  });

  async function changesBetween(from: number, to: number) {
    const found: { change: string; edge: Triple }[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { status, json } = await api.get(
        `/api/lineage/changes?from=${iso(from)}&to=${iso(to)}&size=7${
          cursor && `&cursor=${cursor}`
        }`,
      );
      expect(status).toBe(200);
      for (const { change, establisher, source, target } of json.items) {
        found.push({ change, edge: [establisher.id, source.id, target.id] });
      }
      cursor = json.cursor;
    }
    return found;
  }
});
