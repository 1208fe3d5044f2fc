import { expect, it } from "vitest";
import { cardsOf } from "#test/support/web/drawing.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();

it("what feeds a table is left of it, and what it feeds is right of it, without a click", () =>
  journey(async ({ page, go }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    await go(`/dataentities/${orders}/lineage`);
    const { cards, svg } = await cardsOf(page);
    const root = cards.find(({ name }) => name === "fct_orders")!;
    const left = cards.filter(({ x }) => x < root.x).map(({ name }) => name);
    const right = cards.filter(({ x }) => x > root.x).map(({ name }) => name);
    expect(left).toEqual(expect.arrayContaining(["stg_orders", "stg_order_items", "shop_orders"]));
    expect(right).toEqual(
      expect.arrayContaining([
        "mrt_daily_revenue",
        "mrt_churn_features",
        "Board pack",
        "Retention",
      ]),
    );
    expect(left.every((name) => /^(stg|shop)_/.test(name))).toBe(true);
    expect(cards).toHaveLength(left.length + right.length + 1);
    expect(cards.filter(({ detail }) => detail.startsWith("Job"))).toEqual([]);
    expect(root.detail).toBe("Table · dwh.marts");
    for (const text of [">This asset<", ">build_fct_orders<", ">staging<"]) {
      expect(svg).toContain(text);
    }
    expect(svg, "a line that goes back").not.toContain('stroke-dasharray="7 5"');
  }));

it("the tables that feed a dashboard are there without a click", () =>
  journey(async ({ page, go }) => {
    const board = await idOf(site(), "Board pack", "/dashboards/board_pack");
    await go(`/dataentities/${board}/lineage`);
    const { cards } = await cardsOf(page);
    const root = cards.find(({ name }) => name === "Board pack")!;
    const others = cards.filter(({ name }) => name !== "Board pack");
    expect(others.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["mrt_daily_revenue", "fct_orders", "stg_orders"]),
    );
    expect(others.every(({ x, detail }) => x < root.x && /^(Table|View)/.test(detail))).toBe(true);
  }));

it("a group is one box only when somebody wants that, and then in parts rather than with lines both ways", () =>
  journey(async ({ page, go }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    await go(`/dataentities/${orders}/lineage?show=jobs`);
    await page.locator("[role=application][aria-busy=false]").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("status").filter({ hasText: /^build_fct_orders/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Collapse build_marts" }).click();
    await page.waitForURL((url) => /^fg\d+$/.test(url.searchParams.get("closed") ?? ""));
    const { cards, svg } = await cardsOf(page);
    const parts = cards.filter(({ name }) => name === "build_marts");
    const root = cards.find(({ name }) => name === "fct_orders")!;
    expect(parts.filter(({ x }) => x < root.x)).toHaveLength(1);
    expect(parts.filter(({ x }) => x > root.x).length).toBeGreaterThan(0);
    expect(svg, "a line that goes back").not.toContain('stroke-dasharray="7 5"');
  }));

it("how far a drawing goes is remembered, and is in the address", () =>
  journey(async ({ page, go }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    await go(`/dataentities/${orders}/lineage`);
    await page.getByText("22 assets, 6 jobs").waitFor();
    await page.getByLabel("Hops downstream").selectOption("0");
    await page.waitForURL(/down=0/);
    await page.getByText("9 assets, 1 job").waitFor();
    await go(`/dataentities/${orders}/lineage`);
    await page.getByText("9 assets, 1 job").waitFor();
    expect(await page.getByLabel("Hops downstream").inputValue()).toBe("0");
  }));

it("a column leads to the dashboards that it reaches, by table", () =>
  journey(async ({ page, go, problems }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    await go(`/dataentities/${orders}/lineage`);
    await page.locator("[role=application][aria-busy=false]").waitFor();
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await page.getByRole("status").filter({ hasText: "fct_orders shows 5 columns" }).waitFor();
    await page.locator("[role=application][aria-busy=false]").focus();
    await page.keyboard.press("Home");
    await page.getByRole("status").filter({ hasText: /^fct_orders,/ }).waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    const impact = page.getByRole("region", { name: "Impact of revenue" });
    await impact.getByRole("heading", { name: "3 columns made from it" }).waitFor();
    await impact.getByRole("link", { name: "mrt_daily_revenue.revenue" }).waitFor();
    await impact.getByRole("link", { name: "Board pack" }).waitFor();
    expect(await problems()).toEqual([]);
  }));

it("impact tells how much is downstream by type, and whom to tell", () =>
  journey(async ({ page, go, problems }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    const { total } = await site().json(`/api/dataentities/${orders}/impact`) as { total: number };
    await go(`/dataentities/${orders}/lineage`);
    await page.getByRole("button", { name: `Impact ${total}` }).click();
    const impact = page.getByRole("region", { name: "Impact", exact: true });
    await impact.getByText(`${total} downstream of fct_orders`).waitFor();
    await impact.getByText("8 dashboards").waitFor();
    await impact.getByText(/^Owners to notify: Teo Okafor/).waitFor();
    await page.getByLabel("Color by").selectOption("owner");
    await page.getByRole("list", { name: "Legend" }).getByText("Teo Okafor").waitFor();
    await page.waitForURL(/color=owner/);
    expect(await problems()).toEqual([]);
  }));

it("what is under the pointer is named next to the pointer", () =>
  journey(async ({ page, go }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    // The root lies in the middle of the stage.
    await go(`/lineage?ids=${orders}&at=120,32,1`);
    const canvas = page.locator("[role=application][aria-busy=false]");
    await canvas.waitFor();
    const stage = (await canvas.boundingBox())!;
    const [x, y] = [stage.x + stage.width / 2 - 30, stage.y + stage.height / 2];
    const card = page.locator("div").getByText(/^fct_orders, .*start of this drawing/);
    await expect.poll(async () => {
      await page.mouse.move(x + Math.random(), y);
      return await card.count();
    }).toBe(1);
    const place = (await card.boundingBox())!;
    expect(Math.abs(place.x - x)).toBeLessThan(40);
    expect(Math.abs(place.y - y)).toBeLessThan(40);
  }));

it("the first name under the pointer is next to it too, however late its card is loaded", () =>
  journey(async ({ page, go }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    let isRequested = false;
    await page.route(/hover-card/, async (route) => {
      isRequested = true;
      await new Promise((resume) => setTimeout(resume, 300));
      await route.continue();
    });
    await go(`/lineage?ids=${orders}&at=120,32,1`);
    const canvas = page.locator("[role=application][aria-busy=false]");
    await canvas.waitFor();
    const stage = (await canvas.boundingBox())!;
    const [x, y] = [stage.x + stage.width / 2 - 30, stage.y + stage.height / 2];
    await expect.poll(async () => {
      if (!isRequested) await page.mouse.move(x + Math.random(), y);
      return isRequested;
    }).toBe(true);
    const card = page.locator("div").getByText(/^fct_orders, .*start of this drawing/);
    await card.waitFor();
    const place = (await card.boundingBox())!;
    expect(Math.abs(place.x - x)).toBeLessThan(40);
    expect(Math.abs(place.y - y)).toBeLessThan(40);
  }));

it("an asset that is chosen is told of beside the drawing, and leads on", () =>
  journey(async ({ page, go, problems }) => {
    const orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    await go(`/lineage?ids=${orders}`);
    await page.locator("[role=application][aria-busy=false]").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    const sidebar = page.getByRole("complementary", { name: "About fct_orders" });
    await sidebar.getByText("3 of 3 tests passed").waitFor();
    await sidebar.getByRole("link", { name: "Teo Okafor" }).waitFor();
    await sidebar.getByRole("heading", { name: "Columns (5)" }).waitFor();
    expect(await problems()).toEqual([]);
    await sidebar.getByRole("button", { name: "revenue" }).click();
    await page.getByRole("region", { name: "Impact of revenue" }).waitFor();
    await sidebar.waitFor({ state: "detached" });
    await page.waitForURL((url) => (url.searchParams.get("cards") ?? "").split(",").length > 2);
  }));
