import { OpenAPIHono, z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { boundedArray, boundedRecord, maxDetails } from "./bounded.ts";

/** An item that counts how often it was read. */
function counting() {
  const seen = { times: 0 };
  const item = z.object({
    a: z.string().refine(() => {
      seen.times++;
      return true;
    }),
    b: z.number(),
  });
  return { seen, item };
}

describe("boundedArray", () => {
  it("refuses what is too long without a look at the items", () => {
    const { seen, item } = counting();
    const list = z.object({ list: boundedArray(item, 3).min(1) });
    const result = list.safeParse({ list: Array(4).fill({ a: "", b: 0 }) });
    expect(result.error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [["list"], "must hold at most 3 elements"],
    ]);
    expect(seen.times).toBe(0);
    expect(list.parse({ list: [{ a: "x", b: 1 }] })).toEqual({ list: [{ a: "x", b: 1 }] });
    expect(list.safeParse({ list: [] }).success).toBe(false);
    expect(list.safeParse({ list: "x" }).error?.issues[0]).toMatchObject({ code: "invalid_type" });
  });

  it("looks at no further item once enough are wrong, however deep they lie", () => {
    const { seen, item } = counting();
    const deep = boundedArray(boundedArray(item, 1_000_000), 1_000_000);
    const wrong = Array(60).fill({ a: "" });
    const { issues } = deep.safeParse(Array(50_000).fill(wrong)).error!;
    expect([issues.length, seen.times]).toEqual([120, 120]);
    expect(issues[61]!.path).toEqual([1, 1, "b"]);
  });

  it("runs no refinement on a list of which only a part was read", () => {
    let evaluated = 0;
    const long = z.string().refine((text) => text.length < 2, { error: "is long" });
    const list = boundedArray(long, 1_000).superRefine((_, context) => {
      evaluated++;
      context.addIssue({ code: "custom", message: "judged" });
    });
    expect(list.safeParse(Array(99).fill("xx")).error!.issues).toHaveLength(100);
    expect(list.safeParse(Array(999).fill("xx")).error!.issues).toHaveLength(maxDetails);
    expect(evaluated).toBe(1);
  });

  it("gives asynchronous callers the same result", async () => {
    const list = boundedArray(z.string().transform((text) => text.length), 2);
    expect(await list.parseAsync(["a", "bb"])).toEqual([1, 2]);
    expect((await list.safeParseAsync(["a", "b", "c"])).success).toBe(false);
  });
});

describe("boundedRecord", () => {
  it("bounds the members and what it tells of them", () => {
    const map = boundedRecord(z.string().max(3, { error: "is long" }), z.number(), 1_000);
    const members = (n: number, value: unknown, key = "") =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`${key}${i}`, value]));
    expect(map.parse(members(1_000, 1))).toEqual(members(1_000, 1));
    expect(map.safeParse(members(1_001, "x")).error!.issues.map((i) => i.message)).toEqual([
      "must hold at most 1000 members",
    ]);
    expect(map.safeParse(members(900, "x")).error!.issues).toHaveLength(maxDetails);
    expect(map.safeParse({ four: 1 }).error!.issues).toMatchObject([{
      path: ["four"],
      message: "is long",
    }]);
    expect(map.safeParse([]).success).toBe(false);
  });
});

describe("both", () => {
  it("are documented with their bounds", () => {
    const app = new OpenAPIHono();
    app.openAPIRegistry.register(
      "Both",
      z.object({
        list: boundedArray(z.string(), 7).min(1).optional(),
        map: boundedRecord(z.string(), z.number(), 9),
      }),
    );
    const { components } = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "", version: "" },
    });
    expect(components!.schemas!.Both).toMatchObject({
      properties: {
        list: { type: "array", items: { type: "string" }, maxItems: 7, minItems: 1 },
        map: { type: "object", maxProperties: 9 },
      },
    });
  });
});
