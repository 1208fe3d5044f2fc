import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let stock: number;
beforeAll(async () => {
  stock = await idOf(site(), "fct_stock", "/tables/fct_stock");
});

const owners = async () => {
  const details = await site().json(`/api/dataentities/${stock}`) as {
    ownership: { owner: { name: string } }[];
  };
  return details.ownership.map(({ owner }) => owner.name);
};

it("an owner that was just given is taken back by keyboard", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${stock}/overview`);
    const card = page.getByRole("main").getByRole("region", { name: "Owners", exact: true });
    await card.getByRole("button", { name: "Add an owner" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Owner" }).fill("Undone");
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await card.getByRole("link", { name: "Undone" }).waitFor({ state: "detached" });
    expect(await owners()).toEqual([]);
  }));

it("activity reverts a description to what it was, but not once it was changed again", () =>
  journey(async ({ page, go }) => {
    const describe = async (text: string) => {
      const answer = await site().send("PUT", `/api/dataentities/${stock}/description`, {
        internal_description: text,
      });
      expect(answer.status).toBe(200);
    };
    await describe("First text");
    await describe("Second text");
    await go(`/dataentities/${stock}/activity`);
    const revert = page.getByRole("button", { name: "Revert" });
    const event = page.getByRole("listitem").filter({ hasText: "Second text" }).filter({
      has: revert,
    });
    await event.first().getByRole("button", { name: "Revert" }).click();
    await page.getByText("The description is as before").first().waitFor();
    const now = await site().json(`/api/dataentities/${stock}`) as { internal_description: string };
    expect(now.internal_description).toBe("First text");
    // The oldest of them made it "First text", out of nothing.
    const oldest = page.getByRole("listitem").filter({ has: page.getByText("Second text") });
    await expect.poll(() => oldest.count()).toBeGreaterThan(1);
    await oldest.last().getByRole("button", { name: "Revert" }).click();
    await page.getByText("It was changed again since").first().waitFor();
  }));

it("what a batch did is one line of the activity, which opens", () =>
  journey(async ({ page, go }) => {
    await go("/activity?event=DATA_ENTITY_CREATED");
    const group = page.getByText(/^Added (at least )?\d+ assets$/).first();
    await group.click();
    await page.locator("li strong", { hasText: "Asset created" }).first().waitFor();
    await page.locator("li").getByText("Tableau").first().waitFor();
  }));
