import { describe, expect, it } from "vitest";
import { sourcesByField } from "./job.ts";

const naming = {
  keyOf: ({ namespace, name }: { namespace: string; name: string }) => `${namespace} ${name}`,
  catrnOf: (key: string) => `//${key}`,
};
const input = (field: string, type?: "DIRECT" | "INDIRECT") => ({
  namespace: "db",
  name: "orders",
  field,
  ...(type ? { transformations: [{ type }] } : {}),
});
const edgesOf = (facet: Record<string, unknown>) =>
  [...sourcesByField(facet, naming as never)].map(([target, sources]) => [
    target,
    [...sources.values()].map(({ field, type }) => `${type} ${field}`),
  ]);
const fields = (byName: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(byName).map(([name, inputFields]) => [name, { inputFields }]));

describe("sourcesByField", () => {
  it("tells of the whole dataset what every field depends on INDIRECTLY, once", () => {
    const day = input("day", "INDIRECT");
    expect(edgesOf({
      fields: fields({
        total: [input("net", "DIRECT"), day],
        id: [input("id"), day, input("shop", "INDIRECT")],
        constant: [day],
      }),
    })).toEqual([
      ["total", ["DIRECT net"]],
      ["id", ["DIRECT id", "INDIRECT shop"]],
      [null, ["INDIRECT day"]],
    ]);
  });

  it("leaves what every field is made of DIRECTLY, and what the only field depends on", () => {
    const key = input("id", "DIRECT");
    expect(edgesOf({ fields: fields({ a: [key], b: [key] }) })).toEqual([
      ["a", ["DIRECT id"]],
      ["b", ["DIRECT id"]],
    ]);
    expect(edgesOf({ fields: fields({ a: [input("day", "INDIRECT")] }) })).toEqual([
      ["a", ["INDIRECT day"]],
    ]);
  });

  it("joins it with what the facet tells of the whole", () => {
    const day = input("day", "INDIRECT");
    expect(
      edgesOf({ fields: fields({ a: [day], b: [day] }), dataset: [day, input("x", "INDIRECT")] }),
    )
      .toEqual([[null, ["INDIRECT day", "INDIRECT x"]]]);
  });
});
