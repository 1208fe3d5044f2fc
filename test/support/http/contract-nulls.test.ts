import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { asGiven, optional } from "#contract/catalogue/common.ts";
import { leftOut } from "./contract-nulls.ts";

const Owner = z.object({ name: z.string(), title: optional(z.string()) }).openapi("TestOwner");
const Entity = z.object({
  owner: optional(Owner),
  owners: optional(z.array(Owner)),
  by_role: z.record(z.string(), Owner).optional(),
  kind: z.union([z.object({ a: z.number(), b: optional(z.number()) }), z.string()]).optional(),
  more: z.lazy(() => Owner).optional(),
  before: optional(asGiven(z.object({ title: optional(z.string()) }))),
});
const whole = { owner: null, owners: null, before: null };
const ada = { name: "ada", title: null };
const untitled = { name: "ada" };

describe("an answer leaves out", () => {
  it.each<[string, unknown, string | null]>([
    ["nothing: null is said", whole, null],
    ["nothing: what may be missing", { ...whole, by_role: { x: ada } }, null],
    ["nothing: it is shown as it was given", { ...whole, before: {} }, null],
    ["what is shown as it was given", { owner: null, owners: null }, ".before"],
    ["a member", { owner: null, before: null }, ".owners"],
    ["a member of a member", { ...whole, owner: untitled }, ".owner.title"],
    ["a member of an item", { ...whole, owners: [ada, untitled] }, ".owners[1].title"],
    ["a member in a map", { ...whole, by_role: { x: ada, y: untitled } }, ".by_role.y.title"],
    ["a member of one of several shapes", { ...whole, kind: { a: 1 } }, ".kind.b"],
    ["nothing of another shape", { ...whole, kind: "text" }, null],
    ["a member of a shape told later", { ...whole, more: untitled }, ".more.title"],
  ])("%s", (_, value, path) => {
    expect(Entity.safeParse(value).success).toBe(true);
    expect(leftOut(Entity, value)).toBe(path);
  });

  it("a member of an item of the answer itself", () => {
    expect(leftOut(z.array(Owner), [ada, untitled])).toBe("[1].title");
  });
});
