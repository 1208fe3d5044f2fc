import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { type FormMode, formModes } from "#test/support/sign-in/modes.ts";
import { closePages, sharedBrowser, visit } from "#test/support/web/browser.ts";
import { bob, person, signOut, useOpenIdSite } from "#test/support/web/openid-site.ts";
import { comeBack, enter } from "#test/support/web/people.ts";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";

/** Id of a table that is put into the catalogue. */
async function tableOf({ test }: Instance): Promise<number> {
  return await seedEntity(test.db, { catrn: "//sign-in/orders", name: "orders", type: "TABLE" });
}

describe("OAUTH2", () => {
  const { site, browser, base, provider, asUser } = useOpenIdSite();

  it("the provider leads back to what was requested; signing out ends the session at both", async () => {
    const { page, problems } = await asUser(bob, "/search?q=orders&entity_classes=1");
    await page.waitForURL(`${base()}/search?q=orders&entity_classes=1`);
    expect(await problems()).toEqual([]);
    await signOut(page, "bob");
    await page.waitForURL((url) => url.origin === provider().issuer);
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await page.waitForURL((url) => url.href.startsWith(`${base()}/login`));
    await page.goto(`${base()}/alerts`);
    await page.getByRole("link", { name: "Continue with Partners" }).waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it("who refuses at the provider, or whose provider is away, is told so and can try again", async () => {
    provider().user = null;
    const { page, go, problems } = await visit(browser(), base(), { expected: /^503 / });
    await go("/login?return=%2Fquality");
    await page.getByRole("link", { name: "Continue with Corp account" }).click();
    await page.getByRole("alert").filter({ hasText: "did not sign you in" }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("link", { name: "Continue with Partners" }).click();
    await page.getByRole("alert").filter({ hasText: "not possible right now" }).waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it("a session that ended keeps what was typed, which is saved after signing in next to it", async () => {
    const { page, problems } = await asUser(
      bob,
      `/dataentities/${await tableOf(site())}/overview`,
      {
        expected: /^401 /,
      },
    );
    const card = page.getByRole("region", { name: "Description", exact: true });
    await card.getByRole("button", { name: /^(Edit the description|Add description)$/ }).click();
    await card.getByRole("textbox").fill("Typed while the provider knew me");
    await site().test.db.query("DELETE FROM session");
    // Something else that the page asks may be told of it before.
    await card.getByRole("button", { name: "Save" }).click({ timeout: 5_000 }).catch(() => {});
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    const [otherPage] = await Promise.all([
      page.context().waitForEvent("page"),
      dialog.getByRole("link", { name: "Sign in" }).click(),
    ]);
    await otherPage.getByRole("link", { name: "Continue with Corp account" }).click();
    await person(otherPage, "bob").waitFor();
    await otherPage.close();
    await comeBack(page);
    expect(await card.getByRole("textbox").inputValue()).toBe("Typed while the provider knew me");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByRole("textbox").waitFor({ state: "detached" });
    await card.getByText("Typed while the provider knew me").waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });
});

const { LDAP } = formModes;

// Where there is a directory server, which is everywhere that the distributed engines are.
describe.each(LDAP ? ["LDAP"] : [])("%s", () => {
  let mode: FormMode;
  let site: Instance;
  let browser: Browser;
  beforeAll(async () => {
    if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
    mode = await LDAP!();
    site = await startInstance("embedded", {
      config: { auth: mode.auth, session: { provider: "INTERNAL_POSTGRESQL" } },
    });
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    await site?.stop();
    await mode?.stop();
  });

  it("a wrong password is told, the right one leads to what was requested, and signing out ends it", async () => {
    const { page, go, problems } = await visit(browser, site.url);
    await go("/search?q=orders");
    await page.getByLabel("User name").fill("bob");
    await page.getByLabel("Password").fill("ada's word");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "is wrong" }).waitFor();
    expect(await problems()).toEqual([]);
    await enter(page, "bob");
    await person(page, "bob").waitFor();
    await page.waitForURL(/\/search\?q=orders$/);
    expect(await problems()).toEqual([]);
    await signOut(page, "bob");
    await page.waitForURL(/\/login\?logout$/);
    await page.getByText("You are signed out.").waitFor();
    await page.goto(`${site.url}/alerts`);
    await page.getByLabel("User name").waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it("who is no administrator of the directory is none here", async () => {
    const { page, go, problems } = await visit(browser, site.url);
    await go("/management/audit");
    await enter(page, "ada");
    await person(page, "Ada").waitFor();
    await page.getByText("It requires the permission AUDIT_VIEW").waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });
});
