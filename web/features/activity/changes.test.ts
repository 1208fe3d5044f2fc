import "#web/messages/testing/english.ts";
import { expect, it } from "vitest";
import { changesOf } from "./changes.ts";

it("a text that changed is shown before and after, and what did not change is left out", () => {
  const change = changesOf({
    old_state: { description: { description: null }, status: null },
    new_state: { description: { description: "Every order" } },
  });
  expect(change).toEqual([{ name: "Description", kind: "text", before: "", after: "Every order" }]);
});

it("of a list, what came and what went", () => {
  const owner = (owner_name: string) => ({ owner_name, title_name: "Steward" });
  const [change] = changesOf({
    old_state: { ownerships: [owner("Ada"), owner("Bo")] },
    new_state: { ownerships: [owner("Bo"), owner("Cy")] },
  });
  expect(change).toEqual({
    name: "Owners",
    kind: "list",
    added: ["Cy · Steward"],
    removed: ["Ada · Steward"],
  });
});

it("members are named, ids and the like are not", () => {
  const state = (name: string, internal_name: string | null) => ({
    dataset_field_information: { id: 7, name, internal_name },
  });
  const change = changesOf({ old_state: state("total", null), new_state: state("total", "Total") });
  expect(change).toEqual([{
    name: "Column: internal name",
    kind: "text",
    before: "",
    after: "Total",
  }]);
});
