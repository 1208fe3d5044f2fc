import { expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { visitAgain } from "#test/support/web/browser.ts";
import { idOf } from "#test/support/web/site.ts";
import { useSite } from "#test/support/web/journeys.ts";

const { site, browser } = useSite();

it("owners that its source tells of are marked so, and are changed once somebody gives them", async () => {
  const source = "//browser/host/owned";
  const post = async (path: string, body: object) =>
    expect((await site().send("POST", path, body)).status).toBeLessThan(300);
  await post("/ingestion/datasources", { items: [{ catrn: source, name: "Owned" }] });
  await post("/ingestion/entities", {
    data_source_catrn: source,
    items: [{
      catrn: `${source}/crew`,
      name: "crew",
      type: "TABLE",
      owners: [{ name: "team:deck", title: "Boatswain" }],
      dataset: { field_list: [] },
    }],
  });
  const id = await eventually(async () => {
    const answer = await site().send("GET", "/api/dataentities?page=1&size=50&query=crew");
    const { items } = await answer.json() as { items: { id: number; catrn: string }[] };
    return items.find(({ catrn }) => catrn === `${source}/crew`)!.id;
  });
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go(`/dataentities/${id}/overview`);
  const card = page.getByRole("main").getByRole("region", { name: "Owners", exact: true });
  await card.getByText("team:deck").waitFor();
  await card.getByLabel("From the source system").waitFor();
  expect(await card.getByRole("button", { name: /team:deck/ }).count()).toBe(0);
  await card.getByRole("button", { name: "Add an owner" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Owner" }).fill("team:deck");
  await page.keyboard.press("Tab");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await card.getByRole("button", { name: "Remove team:deck" }).waitFor();
  expect(await card.getByText("team:deck").count()).toBe(1);
  expect(await card.getByLabel("From the source system").count()).toBe(0);
  expect(await problems()).toEqual([]);
});

it("an owner has a page with the assets and the open alerts, to which each name leads", async () => {
  const json = async (path: string) => await (await site().send("GET", path)).json();
  const { items } = await json("/api/dataentities?page=1&size=50&query=fct_stock") as {
    items: { id: number; catrn: string }[];
  };
  const stock = items.find(({ catrn }) => catrn.endsWith("/tables/fct_stock"))!.id;
  const made = await site().send("POST", `/api/dataentities/${stock}/ownership`, {
    owner_name: "Warehouse team",
    title_name: null,
    propagate: false,
  });
  expect(made.status).toBe(200);
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go(`/dataentities/${stock}/overview`);
  const card = page.getByRole("main").getByRole("region", { name: "Owners", exact: true });
  await card.getByRole("link", { name: "Warehouse team" }).click();
  await page.waitForURL(/\/owners\/\d+$/);
  await page.getByRole("heading", { level: 1, name: "Warehouse team" }).waitFor();
  await page.getByRole("region", { name: "1 asset" }).getByRole("link", { name: "fct_stock" })
    .waitFor();
  await page.getByText("No user belongs to this owner, so there is nobody to write to.").waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("region", { name: "1 open alert" }).getByRole("link", { name: "All alerts" })
    .click();
  await page.waitForURL(/\/alerts\?owner=/);
  await go("/owners/999999");
  await page.getByText("Owner not found").waitFor();
});

it("the owner is asked by mail, where its user has an address", async () => {
  const table = await idOf(site(), "customers", "/customers/tables/customers");
  const made = await site().send("POST", `/api/dataentities/${table}/ownership`, {
    owner_name: "Parcels",
    title_name: null,
    propagate: false,
  });
  const { owner } = await made.json() as { owner: { id: number } };
  const user = { owner_id: owner.id, oidc_username: "parcels@harbour.example" };
  expect((await site().send("POST", "/api/owners/mapping", user)).status).toBe(200);
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go(`/dataentities/${table}/overview`);
  const card = page.getByRole("main").getByRole("region", { name: "Owners", exact: true });
  expect(await card.getByRole("link", { name: "Ask the owner" }).getAttribute("href"))
    .toMatch(/^mailto:parcels@harbour\.example\?subject=A%20question%20about/);
  // Users who may add owners do not need to request it.
  expect(await card.getByRole("link", { name: "Request ownership" }).count()).toBe(0);
  expect(await problems()).toEqual([]);
});
