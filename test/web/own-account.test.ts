import { expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { bearer } from "#test/support/sign-in/entering.ts";
import { ada, bob, useOpenIdSite } from "#test/support/web/openid-site.ts";

const { site, asUser } = useOpenIdSite();

it("somebody asks to be an owner, is declined, asks again, and is accepted", async () => {
  const requester = await asUser(ada, "/management/associations");
  const admin = await asUser(bob, "/management/associations");
  const you = requester.page.getByRole("region", { name: "You" });
  const ask = async (owner: string) => {
    await you.getByRole("combobox", { name: "I am" }).fill(owner);
    await you.getByRole("button", { name: "Request this owner" }).click();
    await you.getByText(`You requested to be “${owner}”`).waitFor();
  };
  const requests = admin.page.getByRole("table", { name: "Requests" });
  const answer = async (verb: "Accept" | "Decline", owner: string) => {
    await admin.page.reload();
    await requests.getByRole("button", { name: `${verb} ada as ${owner}` }).click();
    const dialog = admin.page.getByRole("dialog");
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    await admin.page.getByText("No open requests").waitFor();
  };
  expect(await requester.page.getByRole("button", { name: "History" }).count()).toBe(0);
  await ask("Night pilots");
  expect(await requester.problems()).toEqual([]);
  await answer("Decline", "Night pilots");
  await requester.page.reload();
  await you.getByText("Your last request, for “Night pilots”: Declined.").waitFor();
  await ask("Harbour pilots");
  await answer("Accept", "Harbour pilots");
  expect(await admin.problems()).toEqual([]);
  await requester.page.reload();
  await you.getByText("You are linked to the owner “Harbour pilots”.").waitFor();
  expect(await requester.problems()).toEqual([]);
  await admin.page.getByRole("button", { name: "History" }).click();
  const history = admin.page.getByRole("table", { name: "History of requests" });
  await history.getByRole("row", { name: /declined.*Night pilots/i }).waitFor();
  await history.getByRole("row", { name: /approved.*Harbour pilots/i }).waitFor();
  expect(await admin.problems()).toEqual([]);
  await requester.page.context().close();
  await admin.page.context().close();
});

it("a token is made, shown once, does what it may, and is revoked; a manager ends all of a user", async () => {
  const { page, problems } = await asUser(ada, "/management/tokens");
  const make = async (name: string): Promise<string> => {
    await page.getByRole("button", { name: "New token" }).first().click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Create" }).click();
    const shown = page.getByRole("dialog", { name: `Token of ${name}` });
    const value = await shown.locator("code").first().innerText();
    expect(await problems()).toEqual([]);
    await shown.getByRole("button", { name: "Done" }).click();
    await shown.waitFor({ state: "detached" });
    return value;
  };
  const status = async (token: string, method = "GET", path = "/api/identity/whoami") =>
    (await site().send(method, path, method === "GET" ? undefined : [], bearer(token))).status;
  const first = await make("notebook");
  expect(await status(first)).toBe(200);
  expect(await status(first, "POST", "/api/tags")).toBe(403);
  await page.reload();
  const row = page.getByRole("row", { name: /notebook.*Read only/ });
  await row.waitFor();
  expect(await page.content()).not.toContain(first);
  await row.getByRole("button", { name: "Delete notebook" }).click();
  await page.getByRole("button", { name: "Delete the token" }).click();
  await page.getByText("None yet").waitFor();
  await eventually(async () => expect(await status(first)).toBe(401));
  expect(await problems()).toEqual([]);

  const second = await make("script");
  const admin = await asUser(bob, "/management/tokens");
  await admin.page.getByRole("button", { name: "Revoke tokens of a user" }).click();
  const form = admin.page.getByRole("dialog");
  await form.getByRole("textbox", { name: "User name" }).fill("ada");
  await form.getByRole("combobox", { name: "Signs in with" }).selectOption("corp");
  expect(await admin.problems()).toEqual([]);
  await form.getByRole("button", { name: "Revoke tokens" }).click();
  await admin.page.getByText("The tokens of ada have ended").waitFor();
  await eventually(async () => expect(await status(second)).toBe(401));
  expect(await admin.problems()).toEqual([]);
  await admin.page.context().close();
  await page.context().close();
});
