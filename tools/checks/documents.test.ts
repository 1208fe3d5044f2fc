import { expect, it } from "vitest";
import { anchorsOf } from "./documents.ts";

it("anchors of headings are those that GitHub makes, without what is code", () => {
  const page =
    "# Resource name (CATRN)\n\n## [Every](a.md) state\n\n```sh\n# a comment\n```\n## At 3 a.m.\n";
  expect([...anchorsOf(page)]).toEqual(["resource-name-catrn", "every-state", "at-3-am"]);
});
