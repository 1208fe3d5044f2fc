import { expect, it } from "vitest";
import { languages as offered } from "#contract/languages.ts";
import { languages } from "#web/messages/language.ts";

it("the server and the interface offer the same languages", () => {
  expect(Object.keys(languages)).toEqual([...offered]);
});
