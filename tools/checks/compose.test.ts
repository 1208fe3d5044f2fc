import { expect, it } from "vitest";
import { compose } from "./compose.ts";

it("finds nothing here", async () => {
  expect((await compose.run({ update: false })).problems).toEqual([]);
});
