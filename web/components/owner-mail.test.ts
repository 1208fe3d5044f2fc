import { expect, it } from "vitest";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";

it("takes the name of a user for an address only where it is one", () => {
  expect(mailOf({ oidc_username: "mara@shop.example" })).toBe("mara@shop.example");
  expect(mailOf({ oidc_username: "mara" })).toBeUndefined();
  expect(mailOf(null)).toBeUndefined();
});

it("a link to write has nothing but the address and the subject", () => {
  expect(mailLink("mara@shop.example", "fct_orders & more"))
    .toBe("mailto:mara@shop.example?subject=fct_orders%20%26%20more");
  expect(mailLink("a?bcc=b@c.example", "x")).toBe("mailto:a%3Fbcc%3Db@c.example?subject=x");
});
