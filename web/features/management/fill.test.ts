import { expect, test } from "vitest";
import { argumentsOf, filled } from "#web/features/management/fill.ts";

const url = {
  parameter: "url",
  name: "Address",
  type: "STRING",
  static_value: "http://c",
} as const;
const name = { parameter: "name", name: "Name of it", type: "STRING", static_value: null } as const;

test("what is typed comes before what is known, and what nobody said shows its name", () => {
  const template = "{{url}}/{{ name }}?{{unknown}} {{name}}";
  expect(filled(template, [url, name], new Map())).toBe(
    "http://c/<Name of it>?{{unknown}} <Name of it>",
  );
  expect(filled(template, [url, name], new Map([["name", "$&"], ["url", "x"]]))).toBe(
    "x/$&?{{unknown}} $&",
  );
});

test("a parameter of several snippets is requested once", () => {
  const snippet = { template: "", arguments: [url, name] };
  const block = { title: "", content: "", code_snippets: [snippet, snippet] };
  const guide = {
    id: "a",
    name: "a",
    description: "",
    installed: false,
    content_blocks: [block, block],
  };
  expect(argumentsOf(guide)).toEqual([url, name]);
});
