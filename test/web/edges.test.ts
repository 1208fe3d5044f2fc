import { expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";

const { site, journey } = useSite();

async function idOf(name: string): Promise<number> {
  const found = await site().json(`/api/search/suggestions?query=${name}`) as {
    id: number;
    external_name: string;
    catrn: string;
  }[];
  return found.find(({ catrn }) => catrn.endsWith(`/tables/${name}`))!.id;
}

it("a part that does not arrive leaves the page as it is, says so, and is requested again", () =>
  journey(async ({ page, go }) => {
    await go("/search?q=orders");
    const found = page.getByRole("table", { name: "Entities found" });
    await found.getByRole("link").first().waitFor();
    await page.route("**/assets/**", (route) => route.abort());
    // A key that is pressed in a field is a character.
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("?");
    const notice = page.getByRole("alert").filter({ hasText: "could not be loaded" });
    await notice.waitFor();
    await found.getByRole("link").first().waitFor();
    await page.unroute("**/assets/**");
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "detached" });
    expect(await notice.count()).toBe(0);
  }, { warnings: /^A part of the interface could not be loaded$/ }));

it("the impact of something is what it feeds; both ways are one choice away", () =>
  journey(async ({ page, go }) => {
    const orders = await idOf("fct_orders");
    const path = `/api/dataentities/${orders}/lineage/downstream?lineage_depth=1000&expand=all`;
    const { downstream } = await site().json(path) as {
      downstream: { nodes: { type: { name: string } | null }[] };
    };
    const assets = downstream.nodes.filter(({ type }) =>
      !/^(JOB|ML_MODEL_TRAINING)$/.test(type?.name ?? "")
    ).length;
    await go(`/dataentities/${orders}/lineage?up=0&down=all`);
    const said = page.getByText(new RegExp(`^${assets} assets`));
    const text = await said.innerText();
    expect(await page.getByLabel("Hops upstream").inputValue()).toBe("0");
    await page.locator("[role=application][aria-busy=false]").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    const feeds = page.getByRole("group", { name: "Upstream" });
    await feeds.getByRole("menuitem", { name: "1 hop" }).click();
    // An upstream asset may be drawn already, its connection is not.
    await page.waitForURL(/steps=\d+u1/);
    const alone = page.getByText(text, { exact: true });
    await alone.waitFor({ state: "detached" });
    await page.goBack();
    await alone.waitFor();
    await page.getByLabel("Hops upstream").selectOption("1");
    await page.waitForURL((url) => url.searchParams.get("up") === "1");
    await alone.waitFor({ state: "detached" });
  }));

it("a page that is open counts one view, however often it is read again", () =>
  journey(async ({ page, go }) => {
    const stock = await idOf("fct_stock");
    const views = async () => {
      const path = `/api/dataentities/${stock}?count_view=false`;
      return (await site().json(path) as { view_count: number }).view_count;
    };
    const before = await views();
    await go(`/dataentities/${stock}/overview`);
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await expect.poll(views).toBe(before + 1);
    for (const name of ["Stock of today", "Stock of each day"]) {
      const named = await site().send("PUT", `/api/dataentities/${stock}/name`, {
        internal_name: name,
      });
      await named.body?.cancel();
      await page.getByRole("heading", { name }).waitFor();
    }
    await page.getByRole("link", { name: "Schema" }).click();
    await page.waitForURL("**/structure");
    await page.getByRole("treegrid").waitFor();
    expect(await views()).toBe(before + 1);
  }));

it("an open list of suggestions leaves the next field of a dialog within reach", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${await idOf("fct_orders")}/overview`);
    await page.getByRole("button", { name: "Add an owner" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Owner" }).pressSequentially("a");
    await page.getByRole("option").first().waitFor();
    await dialog.getByRole("combobox", { name: "Responsibility" }).fill("Steward");
    await page.keyboard.press("Tab");
    await page.getByRole("listbox").waitFor({ state: "detached" });
  }));

it("alerts are narrowed by the service, not among those that are read", () =>
  journey(async ({ page, go }) => {
    const request = page.waitForRequest((request) =>
      /alerts\/list.*alert_type=FAILED_JOB.*query=warehouse/.test(request.url())
    );
    await go("/alerts?status=any&type=FAILED_JOB&q=warehouse");
    await request;
    const list = page.getByRole("table", { name: "Alerts by what they are about" });
    await list.getByText("warehouse suspended").waitFor();
  }));

it("a refused deletion names what keeps it", () =>
  journey(async ({ page, go }) => {
    await go("/management/namespaces");
    await page.getByRole("button", { name: /^Delete / }).first().click();
    await page.getByRole("button", { name: "Delete the namespace" }).click();
    await page.getByRole("alert").getByText(/\((data sources|terms|lookup tables): \w/).waitFor();
  }, { expected: /^400 \/api\/namespaces\/\d+$/ }));
