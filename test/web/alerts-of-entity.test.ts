import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let stock: number;
beforeAll(async () => void (stock = await idOf(site(), "fct_stock", "/tables/fct_stock")));

it("alerts: opened, resolved and opened again where the entity is; filters are in the address", () =>
  journey(async ({ page, go, problems }) => {
    await go(`/dataentities/${stock}/alerts`);
    const list = page.getByRole("table", { name: "Alerts", exact: true });
    const line = list.getByRole("row", { name: /Failed data quality test run/ });
    await line.getByText("Open", { exact: true }).waitFor();
    await line.getByRole("button", { name: /fct_stock_is_fresh/ }).click();
    await page.waitForURL(/alert=\d+/);
    const details = page.getByRole("region", { name: /^Alert \d+$/ });
    await details.getByText("newest row is 19 h old").waitFor();
    expect(await problems()).toEqual([]);
    await line.getByRole("button", { name: /^Resolve alert/ }).click();
    await page.getByText("1 alert resolved").waitFor();
    await line.getByText("Resolved").waitFor();
    await page.getByRole("group", { name: "Which alerts" }).getByRole("button", { name: /^Open 0/ })
      .click();
    await page.waitForURL(/status=OPEN/);
    await page.getByText("No alerts match this filter.").waitFor();
    await page.goBack();
    await line.getByRole("button", { name: /^Reopen alert/ }).click();
    await page.getByText("1 alert opened again").waitFor();
    await line.getByText("Open", { exact: true }).waitFor();
  }));

it("alerts: a type is silent until a moment, which has to lie ahead, and raises alerts again", () =>
  journey(async ({ page, go, problems }) => {
    await go(`/dataentities/${stock}/alerts`);
    const card = page.getByRole("region", { name: "Muted until" });
    await card.getByRole("button", { name: "Change" }).click();
    await card.getByRole("checkbox", { name: "Failed data quality test run is silent" }).check();
    const until = card.getByLabel("Failed data quality test run until");
    await until.fill("");
    await card.getByRole("button", { name: "Save" }).click();
    await until.and(page.locator("[aria-invalid]")).waitFor();
    expect(await problems()).toEqual([]);
    await card.getByRole("button", { name: "1 week" }).click();
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText(/^silent, ends/).waitFor();
    await page.reload();
    await card.getByText(/^silent, ends/).waitFor();
    await card.getByRole("button", { name: "Change" }).click();
    await card.getByRole("checkbox", { name: "Failed data quality test run is silent" }).uncheck();
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("raises alerts").nth(3).waitFor();
    expect(await card.getByText(/^silent, ends/).count()).toBe(0);
  }, { expected: /^400 \/api\/dataentities\/\d+\/alert_config$/ }));

it("tests: a number narrows the list, and a severity is set and taken back", () =>
  journey(async ({ page, go, problems }) => {
    await go(`/dataentities/${stock}/tests`);
    await page.getByRole("region", { name: "SLA" }).getByRole("img", { name: /^SLA badge/ })
      .waitFor();
    const tests = page.getByRole("table", { name: "Tests" });
    await tests.getByRole("link", { name: "fct_stock_key_is_unique" }).waitFor();
    const report = page.getByRole("region", { name: "Last finished runs" });
    await report.getByRole("button", { name: "Failed 1" }).click();
    await page.waitForURL(/status=FAILED/);
    await tests.getByRole("link", { name: "fct_stock_key_is_unique" })
      .waitFor({ state: "detached" });
    expect(await problems()).toEqual([]);
    const severity = tests.getByRole("combobox", { name: "Severity of fct_stock_is_fresh" });
    await severity.selectOption("CRITICAL");
    await page.getByText("fct_stock_is_fresh is critical").waitFor();
    await page.reload();
    await expect.poll(() => severity.inputValue()).toBe("CRITICAL");
    await severity.selectOption("MINOR");
    await page.getByText("fct_stock_is_fresh is minor").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("fct_stock_is_fresh is critical").waitFor();
    await expect.poll(() => severity.inputValue()).toBe("CRITICAL");
  }));

it("history: from a failed test to its runs, and to what its failure reaches", () =>
  journey(async ({ page, go, problems }) => {
    await go(`/dataentities/${stock}/tests`);
    await page.getByRole("table", { name: "Tests" })
      .getByRole("link", { name: "fct_stock_is_fresh", exact: true }).click();
    await page.waitForURL(/\/history$/);
    await page.getByRole("figure", { name: "Duration of runs" }).waitFor();
    const runs = page.getByRole("table", { name: "Runs" });
    await runs.getByText("newest row is 19 h old").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("combobox", { name: "Status" }).selectOption("SUCCESS");
    await page.getByText("No run has this status").waitFor();
    await page.getByRole("combobox", { name: "Status" }).selectOption("FAILED");
    await runs.getByRole("link", { name: /^Impact of/ }).click();
    await page.waitForURL(new RegExp(`/dataentities/${stock}/lineage`));
    await page.getByText(/^\d+ assets?/).waitFor();
  }));
