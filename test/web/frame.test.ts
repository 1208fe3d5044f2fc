import { expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";

const { site, journey } = useSite();

it("one box leads everywhere by keyboard: to screens and to what it finds", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: "Search or jump to…" });
    await box.fill("gloss");
    // However much else is found meanwhile, Enter goes to the screen.
    await page.getByRole("option", { name: "Search for “gloss”" }).waitFor();
    await page.locator("[role=option][data-highlighted]", { hasText: "Glossary" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/terms");
    await page.keyboard.press("Control+k");
    await box.fill("fct_ord");
    await page.getByRole("option", { name: "build_fct_orders" }).click();
    await page.waitForURL("**/dataentities/*/overview");
  }));

it("icons are as high as the text next to them", () =>
  journey(async ({ page, go }) => {
    await go("/");
    const icon = page.getByRole("link", { name: "Search", exact: true }).locator("svg").first();
    const { width, height } = (await icon.boundingBox())!;
    expect(width).toBe(height);
    expect(width).toBeLessThanOrEqual(18);
  }));

it("a chosen theme stays, and is there before the first paint", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  }));

it("the document brings what is the same for everybody, and the first screen does not ask for it", () =>
  journey(async ({ page, go }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await go("/");
    await page.getByRole("heading", { name: "Assets by type" }).waitFor();
    expect(requests).toContain("/api/links");
    expect(requests).not.toContain("/api/appInfo");
    expect(requests).not.toContain("/api/features/active");
    const known = JSON.parse((await page.locator("#known").textContent())!);
    expect(known["/api/appInfo"]).toEqual(await site().json("/api/appInfo"));
    expect(known["/api/features/active"]).toEqual(await site().json("/api/features/active"));
  }));

it("the menu of the person opens by mouse and by keyboard, and gives the focus back", () =>
  journey(async ({ page, go }) => {
    await go("/");
    const button = page.getByRole("button", { name: "Settings" });
    const first = page.getByRole("menuitem", { name: "System" });
    await button.click();
    await first.waitFor();
    await button.click({ force: true });
    await first.waitFor({ state: "detached" });
    for (const key of ["Enter", "ArrowDown"]) {
      await button.focus();
      await page.keyboard.press(key);
      await first.waitFor();
      await page.keyboard.press("ArrowDown");
      await page.locator("[role=menuitem][data-highlighted]").waitFor();
      await page.keyboard.press("Escape");
      await first.waitFor({ state: "detached" });
      await page.locator("button[aria-label=Settings]:focus").waitFor();
    }
  }));

it("the home page, opened again, shows at once what was read before, without loading placeholders", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.getByRole("heading", { name: "Assets by type" }).waitFor();
    await page.getByRole("link", { name: "Glossary", exact: true }).click();
    await page.getByRole("heading", { name: "Glossary", exact: true }).waitFor();
    await page.evaluate(`globalThis.bones = 0;
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) =>
        bones += node.querySelectorAll?.("[class*=_bones]").length ?? 0
      ))).observe(document.body, { childList: true, subtree: true })`);
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByRole("heading", { name: "Assets by type" }).waitFor();
    expect(await page.evaluate("bones")).toBe(0);
  }));

it("an address that leads nowhere says so, and programs get an error", async () => {
  await journey(async ({ page, go }) => {
    await go("/no/such/place");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
  const answer = await fetch(new URL("/no/such/place", site().url));
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-type")).toContain("application/json");
  await answer.body?.cancel();
});

it("a program that asks for the first page is told where to go on", async () => {
  const answer = await fetch(site().url);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.headers.get("vary")).toContain("accept");
  const leads = (await answer.text()).match(/http\S+/g) ?? [];
  expect(leads.length).toBeGreaterThan(2);
  for (const lead of leads) {
    const there = await fetch(lead, { headers: { accept: "text/html" } });
    expect([lead, there.status]).toEqual([lead, 200]);
    await there.body?.cancel();
  }
  const unknown = await fetch(site().url, { method: "POST" });
  expect(unknown.status).toBe(404);
  await unknown.body?.cancel();
});

it("files never change under a name, and the document is requested again", async () => {
  const { url } = site();
  const document = await fetch(url, { headers: { accept: "text/html" } });
  const text = await document.text();
  expect(document.headers.get("cache-control")).toBe("no-cache");
  expect(document.headers.get("content-security-policy")).toContain("default-src 'none'");
  const file = /src="\.(\/assets\/[^"]+)"/.exec(text)![1]!;
  const script = await fetch(new URL(file, url), { headers: { "accept-encoding": "br" } });
  expect(script.headers.get("cache-control")).toContain("immutable");
  expect(script.headers.get("content-type")).toContain("javascript");
  await script.body?.cancel();
  for (const path of ["/assets/..%2findex.html", "/assets/index.html", "/assets/none.js"]) {
    const answer = await fetch(new URL(path, url));
    expect([path, answer.status]).toEqual([path, 404]);
    await answer.body?.cancel();
  }
});
