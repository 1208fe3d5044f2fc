import { expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { linkRoutes } from "#services/api/features/identity/routes.ts";
import { testApi } from "#test/support/http/api.ts";

it("getLinks: those of the configuration, in their order", async () => {
  const links = [
    { title: "Wiki", url: "https://wiki.example" },
    { title: "Chat", url: "https://chat.example" },
  ];
  const answerOf = (catalog: object) =>
    testApi(linkRoutes({ config: Config.parse({ catalog }) })).get("/api/links");
  const { status, json } = await answerOf({ links });
  expect([status, json]).toEqual([200, { items: links }]);
  expect((await answerOf({})).json).toEqual({ items: [] });
});
