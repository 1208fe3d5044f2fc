import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let orders: number;
beforeAll(async () => void (orders = await idOf(site(), "fct_orders", "/tables/fct_orders")));

it("text that is not saved is not lost by another tab, by Back or by Escape", () =>
  journey(async ({ page, go, problems }) => {
    await go("/search?q=fct_orders");
    await page.getByRole("link", { name: "fct_orders", exact: true }).click();
    const card = page.getByRole("region", { name: "Description", exact: true });
    await card.getByRole("button", { name: /^(Edit the description|Add description)$/ }).click();
    const box = card.getByRole("textbox");
    await box.fill("Half a sentence");
    const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
    const keep = async () => {
      await question.waitFor();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await question.waitFor({ state: "detached" });
      expect(await box.inputValue()).toBe("Half a sentence");
    };
    await page.getByRole("link", { name: /^Schema/ }).click();
    await question.waitFor();
    expect(await problems()).toEqual([]);
    await keep();
    await page.evaluate("history.back()");
    await keep();
    await box.press("Escape");
    await keep();
    await page.getByRole("link", { name: /^Schema/ }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL("**/structure");
  }));

it("an editor in which nothing was typed, or whose text is saved, is left without a question", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${orders}/overview`);
    const card = page.getByRole("region", { name: "Description", exact: true });
    const pencil = card.getByRole("button", { name: /^(Edit the description|Add description)$/ });
    await pencil.click();
    await card.getByRole("textbox").press("Escape");
    await pencil.click();
    await card.getByRole("textbox").fill("A whole sentence");
    await card.getByRole("textbox").press("Control+Enter");
    await card.getByText("A whole sentence").waitFor();
    await page.getByRole("link", { name: /^Schema/ }).click();
    await page.waitForURL("**/structure");
    expect(await page.getByRole("dialog", { name: "Discard unsaved changes?" }).count()).toBe(0);
  }));

it("another field keeps the description that is being written of this one", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${orders}/structure`);
    const rows = page.getByRole("treegrid").getByRole("row");
    await rows.nth(1).click();
    const details = page.getByRole("complementary", { name: "The chosen field" });
    await details.getByRole("button", { name: "Edit the description" }).click();
    await details.getByRole("textbox").fill("Not yet saved");
    await rows.nth(2).click();
    const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    expect(await details.getByRole("textbox").inputValue()).toBe("Not yet saved");
  }));

it("a key or a click beside a form that is being filled in does not close it unasked", () =>
  journey(async ({ page, go }) => {
    await go("/terms");
    await page.getByRole("button", { name: "New term" }).click();
    const form = page.getByRole("dialog", { name: "New term" });
    await form.getByRole("textbox", { name: "Name" }).fill("Margin");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    expect(await form.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Margin");
    await form.getByRole("button", { name: "Cancel" }).click();
    await form.waitFor({ state: "detached" });
  }));
