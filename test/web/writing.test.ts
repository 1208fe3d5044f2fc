import { beforeAll, expect, it } from "vitest";
import type { Visit } from "#test/support/web/browser.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let orders: number;
beforeAll(async () => void (orders = await idOf(site(), "fct_orders", "/tables/fct_orders")));

/** Runs in the page. */
function listStyle(item: unknown): string {
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle: (element: unknown) => { listStyleType: string };
  };
  return getComputedStyle(item).listStyleType;
}

/** The editor of a description, with the beginning of a term in it, which is suggested. */
async function mentioning({ page, go }: Pick<Visit, "page" | "go">) {
  await go(`/dataentities/${orders}/overview`);
  const card = page.getByRole("region", { name: "Description", exact: true });
  await card.getByRole("button", { name: /^(Edit the description|Add description)$/ }).click();
  const box = card.getByRole("textbox");
  await box.fill("");
  await box.pressSequentially("See [[Reve");
  await card.getByRole("option", { name: "Finance:Revenue", selected: true }).waitFor();
  return { card, box };
}

it("Enter takes the suggested term of a mention, and breaks no line", () =>
  journey(async ({ page, go, problems }) => {
    const { card, box } = await mentioning({ page, go });
    expect(await problems()).toEqual([]);
    await box.press("Enter");
    expect(await box.inputValue()).toBe("See [[Finance:Revenue]]");
    await box.pressSequentially(" and [[O");
    await card.getByRole("option").first().waitFor();
    await box.press("Escape");
    await card.getByRole("listbox").waitFor({ state: "detached" });
    await box.press("Enter");
    expect(await box.inputValue()).toBe("See [[Finance:Revenue]] and [[O\n");
  }));

/** Runs in the page: Enter, the next letters in the same moment, then two frames. */
async function typeAtOnce(area: unknown): Promise<[text: string, caret: number]> {
  const page = globalThis as unknown as {
    KeyboardEvent: new (type: string, init: object) => Event;
    document: { execCommand(command: string, ui: boolean, text: string): boolean };
    requestAnimationFrame(then: () => void): void;
  };
  const box = area as EventTarget & { value: string; selectionStart: number };
  box.dispatchEvent(
    new page.KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
  );
  page.document.execCommand("insertText", false, " and");
  for (let frame = 0; frame < 2; frame++) {
    await new Promise<void>((then) => page.requestAnimationFrame(then));
  }
  return [box.value, box.selectionStart];
}

it("what is typed right after a term is taken keeps the caret behind it", () =>
  journey(async ({ page, go }) => {
    const { box } = await mentioning({ page, go });
    const text = "See [[Finance:Revenue]] and";
    expect(await box.evaluate(typeAtOnce)).toEqual([text, text.length]);
  }));

it("a task list shows which tasks are done, without bullets", () =>
  journey(async ({ page, go }) => {
    const put = await site().send("PUT", `/api/dataentities/${orders}/description`, {
      internal_description: "- [x] reviewed\n- [ ] tested\n- plain",
    });
    await put.body?.cancel();
    await go(`/dataentities/${orders}/overview`);
    const card = page.getByRole("region", { name: "Description", exact: true });
    const items = card.getByRole("listitem");
    await expect.poll(() => items.allInnerTexts()).toEqual(["☑ reviewed", "☐ tested", "plain"]);
    const style = (at: number) => items.nth(at).evaluate(listStyle);
    expect(await style(0)).toBe("none");
    expect(await style(2)).toBe("disc");
  }));

it("the glossary lists definitions as people read them, without signs of Markdown", () =>
  journey(async ({ page, go }) => {
    const made = await site().send("POST", "/api/terms", {
      name: "Backlog",
      namespace_name: "Finance",
      definition: "What is *not* yet **paid**; see [[Finance:Revenue]]",
    });
    await made.body?.cancel();
    await go("/terms?q=Backlog");
    await page.getByRole("cell", { name: "What is not yet paid; see Revenue" }).waitFor();
  }));

it("a double click in a lookup table begins in the cell that was clicked", () =>
  journey(async ({ page, go }) => {
    await go("/lookup-tables?q=carriers");
    await page.getByRole("link", { name: "Carriers by country" }).click();
    const row = page.getByRole("table", { name: "Rows" }).getByRole("row").nth(1);
    await row.getByRole("cell").nth(2).dblclick();
    const focused = page.locator("[role=row] input:focus");
    await focused.waitFor();
    expect(await page.getByRole("textbox", { name: "carrier", exact: true }).and(focused).count())
      .toBe(1);
  }));

it("a text that is no resource name is refused, and the field says what is allowed", () =>
  journey(async ({ page, go }) => {
    await go("/management/sources");
    await page.getByRole("button", { name: "New data source" }).click();
    const form = page.getByRole("dialog", { name: "New data source" });
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Warehouse");
    await form.getByRole("textbox", { name: "CATRN" }).fill("my warehouse");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByRole("alert").getByText(
      "must begin with // and the system, as in //postgresql/host/db.local (was my warehouse)",
    ).waitFor();
  }, { expected: /^400 \/api\/datasources$/ }));

it("what copies the name of a field lies within its panel", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${orders}/structure`);
    await page.getByRole("treegrid").getByRole("row").nth(1).click();
    const panel = page.getByRole("complementary", { name: "The chosen field" });
    const copy = panel.getByRole("button", { name: "Copy the CATRN" });
    await copy.waitFor();
    const [outer, inner] = [await panel.boundingBox(), await copy.boundingBox()];
    expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width);
  }));
