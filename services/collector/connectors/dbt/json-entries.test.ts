import { describe, expect, it } from "vitest";
import { jsonEntries, type JsonEntry } from "./artifacts.ts";

async function entriesOf(
  text: string,
  sections: string[],
  size = text.length,
): Promise<JsonEntry[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) {
      yield await Promise.resolve(text.slice(at, at + size));
    }
  }
  const found: JsonEntry[] = [];
  for await (const entry of jsonEntries("a.json", chunks(), sections)) found.push(entry);
  return found;
}

const text = String
  .raw`{ "metadata": {"v": "x{\"}\\", "n": null}, "skipped": {"a": {"b": [1, "}"]}},
  "nodes" : {"a.b": {"deep": [{"x": [1, 2]}, "é\u00e9"], "s": "a,b"}, "c": 3}, "plain": 7,
  "results": [{"id": 1}, [2, 3], "four"], "empty": {}, "none": [] }`;
const wanted = ["metadata", "nodes", "results", "empty", "none"];
const expected = [
  { section: "metadata", key: "v", value: 'x{"}\\' },
  { section: "metadata", key: "n", value: null },
  { section: "nodes", key: "a.b", value: { deep: [{ x: [1, 2] }, "éé"], s: "a,b" } },
  { section: "nodes", key: "c", value: 3 },
  { section: "results", key: "0", value: { id: 1 } },
  { section: "results", key: "1", value: [2, 3] },
  { section: "results", key: "2", value: "four" },
];

describe("entries of a document", () => {
  it.each([1, 2, 3, 7, 1_000])("are the same in chunks of %i characters", async (size) => {
    expect(await entriesOf(text, wanted, size)).toEqual(expected);
  });

  it("are those of the wanted sections only", async () => {
    expect(await entriesOf(text, ["results"])).toHaveLength(3);
    expect(await entriesOf(text, [])).toEqual([]);
  });

  it.each(['{"nodes": {"a": 1', '{"nodes": {"a": }}', "nonsense", '{"nodes": {"a": "', "{}}"])(
    "are refused where %j is not complete",
    async (broken) => {
      await expect(entriesOf(broken, ["nodes"])).rejects.toThrow("not a complete JSON document");
    },
  );
});
