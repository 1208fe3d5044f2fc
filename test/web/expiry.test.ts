import { beforeAll, expect, it } from "vitest";
import { noteApproved } from "#platform/stale/evaluate.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";
import { useSite } from "#test/support/web/journeys.ts";

const halted = "//browser/host/held.example";
const policy = (source: string, act: string) => ({ source, act, after: "10 d" });
const { site, journey } = useSite("embedded", {
  config: {
    housekeeping: {
      stale: {
        fuse: 0,
        "fuse-min": 2,
        sources: [policy(halted, "delete"), policy("//browser/host/silent.example", "edges")],
      },
    },
  },
});

let [haltedId, silentId] = [0, 0];
beforeAll(async () => {
  const { db } = site().test;
  const seen = (sourceId: number, days: number, name: string, catrn: string) =>
    seedEntity(db, {
      sourceId,
      name,
      catrn,
      lastIngestedAt: new Date(Date.now() - days * 86_400_000),
    });
  haltedId = await seedSource(db, { catrn: halted, name: "Held store" });
  for (const [at, days] of [1, 7, 20, 30, 40].entries()) {
    await seen(haltedId, days, `table_${at}`, `${halted}/tables/${at}`);
  }
  silentId = await seedSource(db, {
    catrn: "//browser/host/silent.example",
    name: "Silent store",
  });
  await seen(silentId, 8, "lone", "//browser/host/silent.example/tables/lone");
});

it("the fuse holds what would leave, says how it is released, and an approval frees it", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/sources");
    await page.getByRole("searchbox").fill("held");
    await page.getByRole("button", { name: "Expiry of Held store" }).click();
    const dialog = page.getByRole("dialog", { name: "Expiry of Held store" });
    await dialog.getByText("The fuse holds all 3 back").waitFor();
    await dialog.getByText("What was not brought for 10 days is deleted").waitFor();
    await dialog.getByText(`npm run stale -- approve --count 3 --source '${halted}'`).waitFor();
    const leavingTable = dialog.getByRole("table", { name: "Assets to expire" });
    expect(await leavingTable.getByRole("link").allInnerTexts()).toEqual([
      "table_2",
      "table_3",
      "table_4",
    ]);
    expect(await problems()).toEqual([]);
    await noteApproved(site().test.db, halted, 3, new Date().toISOString());
    await page.reload();
    await dialog.getByText(/The next sweep takes 3 entities\. 3 were approved, until /).waitFor();
    expect(await problems()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("expiry"));
    await dialog.waitFor({ state: "detached" });
  }));

it("a silent source loses nothing, one without a policy neither, and one that is gone is told", () =>
  journey(async ({ page, go, problems }) => {
    await go(`/management/sources?expiry=${silentId}`);
    await page.getByText(/was not seen in the second half of the last 10 days/).waitFor();
    expect(await problems()).toEqual([]);
    await go("/management/sources?expiry=1");
    await page.getByText("Nothing expires", { exact: true }).waitFor();
    expect(await problems()).toEqual([]);
    await go("/management/sources?expiry=999999");
    await page.getByText("No such data source").waitFor();
  }, { expected: /^404 \/api\/datasources\/999999\/expiry$/ }));

it("whoever may not see it reads which permission it takes, and nothing is asked", () =>
  journey(async ({ page, go }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    const identity = { username: "ada", permissions: [], further_permissions: [] };
    // The document says how people sign in here.
    await page.route(/\/management\/sources\?/, async (route) => {
      const document = await fetch(route.request().url(), { headers: { accept: "text/html" } });
      const body = (await document.text()).replace('"DISABLED"', '"LOGIN_FORM"');
      await route.fulfill({ contentType: "text/html; charset=utf-8", body });
    });
    await page.route("**/api/identity/whoami", (route) => route.fulfill({ json: { identity } }));
    await go(`/management/sources?expiry=${haltedId}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("This requires the permission OPERATIONS_VIEW.").waitFor();
    expect(await page.getByRole("button", { name: /^Expiry of / }).count()).toBe(0);
    expect(requests.filter((path) => path.endsWith("/expiry"))).toEqual([]);
  }));
