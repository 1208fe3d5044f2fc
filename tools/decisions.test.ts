import { expect, it } from "vitest";
import { decisionOf } from "./decisions.ts";

const accepted = `# Search uses full text

Status: accepted

**Context.** Search must be quick.

**Decision.** Documents have one vector ([0008](0008-search.md)). It is weighted.

**Consequences.** None.
`;

it("reads number, title, status and the first sentence of the decision", () => {
  expect(decisionOf("0008-search.md", accepted)).toEqual({
    file: "0008-search.md",
    number: "0008",
    title: "Search uses full text",
    status: "accepted",
    summary: "Documents have one vector (0008).",
  });
});

it("accepts a superseded decision without parts", () => {
  const text = "# A\n\nStatus: superseded by [0009](0009-b.md)\n\nSee there.\n";
  expect(decisionOf("0008-a.md", text)).toMatchObject({
    status: "superseded by [0009](0009-b.md)",
    summary: "",
  });
});

it.each([
  ["without a status", accepted.replace("Status: accepted", ""), "no status"],
  ["without consequences", accepted.replace("**Consequences.** ", ""), "has no Consequences"],
  ["of more than 25 lines", `${accepted}${"\nmore".repeat(20)}`, "more than 25 lines"],
])("rejects a decision %s", (_, text, message) => {
  expect(() => decisionOf("0008-search.md", text)).toThrow(message);
});
