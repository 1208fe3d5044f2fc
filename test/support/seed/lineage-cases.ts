import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { entityTypeNames } from "#contract/entities.ts";

const name = z.string().regex(/^[a-z][a-z0-9_]*$/);

const arrow = z.string().transform((text, context) => {
  const match = /^(\w+) -> (\w+)(?: by (\w+))?$/.exec(text);
  if (match) return { parent: match[1]!, child: match[2]!, establisher: match[3] ?? match[2]! };
  context.addIssue({ code: "custom", message: "must be `parent -> child` or `… by establisher`" });
  return z.NEVER;
});

const Entity = z.strictObject({
  type: z.enum(entityTypeNames).optional(),
  hollow: z.boolean().default(false),
  deleted: z.boolean().default(false),
});

/** Reached entities whose neighbours were not followed, with the levels that were left. */
const Truncated = z.strictObject({
  reason: z.enum(["nodes", "time"]),
  at: z.record(name, z.int()),
});

/**
 * What the HTTP interface answers, entities by name and in any order. Left out means not checked,
 * but for `nodes` and `edges`. `counts` are [parents, children], null for a collapsed group; `in`
 * tells `group_id_list`.
 */
const Answer = z.strictObject({
  nodes: z.array(name).default([]),
  edges: z.array(arrow).default([]),
  groups: z.array(name).default([]),
  counts: z.record(name, z.tuple([z.int(), z.int()]).nullable()).default({}),
  in: z.record(name, z.array(name)).default({}),
  truncated: Truncated.optional(),
});

/** What the graph port answers; only where groups make it differ from `answer`. */
const Walk = z.strictObject({
  /** Start entities; the root alone unless told. */
  roots: z.array(name).min(1).optional(),
  edges: z.array(arrow).optional(),
});

const Case = z.strictObject({
  name: z.string(),
  root: name,
  direction: z.enum(["upstream", "downstream"]),
  depth: z.int().min(1),
  expanded: z.array(name).default([]),
  max_nodes: z.int().min(1).default(20_000),
  timeout_ms: z.int().min(0).default(10_000),
  walk: Walk.prefault({}),
  /** 404 when the root does not exist or is deleted; the port then answers an empty walk. */
  answer: z.union([Answer, z.literal(404)]),
});
export type LineageCase = z.output<typeof Case>;

const Scenario = z.strictObject({
  scenario: z.string(),
  /** Ids grow in this order, then in that of `groups`. */
  entities: z.record(name, Entity.nullable().transform((e) => e ?? Entity.parse({}))),
  edges: z.array(arrow).default([]),
  /** Members by group. A group that `entities` does not describe is an ordinary one. */
  groups: z.record(name, z.array(name)).default({}),
  cases: z.array(Case).min(1),
}).superRefine((scenario, context) => {
  const known = new Set([...Object.keys(scenario.entities), ...Object.keys(scenario.groups)]);
  for (const used of namesIn(scenario)) {
    if (!known.has(used)) context.addIssue({ code: "custom", message: `${used} is not declared` });
  }
});
export type LineageScenario = z.output<typeof Scenario>;

interface CaseParts {
  edges: z.output<typeof arrow>[];
  groups: Record<string, string[]>;
  cases: LineageCase[];
}

function namesIn({ edges, groups, cases }: CaseParts): string[] {
  const ends = (list: z.output<typeof arrow>[]) =>
    list.flatMap((e) => [e.parent, e.child, e.establisher]);
  return [
    ...ends(edges),
    ...Object.values(groups).flat(),
    ...cases.flatMap((c) => [
      c.root,
      ...c.expanded,
      ...c.walk.roots ?? [],
      ...ends(c.walk.edges ?? []),
      ...c.answer === 404 ? [] : [...c.answer.nodes, ...c.answer.groups, ...ends(c.answer.edges)],
    ]),
  ];
}

const folder = new URL("../../cases/lineage/", import.meta.url);

/** Every scenario of `test/cases/lineage`, checked. */
export function lineageScenarios(): LineageScenario[] {
  return readdirSync(folder).filter((file) => file.endsWith(".yaml")).sort().flatMap((file) => {
    const parsed = z.array(Scenario).safeParse(parse(readFileSync(new URL(file, folder), "utf8")));
    if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  });
}

/** The edges that the graph port must answer for `lineageCase`, before anything is drawn as a group. */
export function walkedEdges(lineageCase: LineageCase): { parent: string; child: string }[] {
  return lineageCase.walk.edges ?? (lineageCase.answer === 404 ? [] : lineageCase.answer.edges);
}
