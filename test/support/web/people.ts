import type { Page } from "playwright-core";
import { eventually } from "#test/support/eventually.ts";
import type { Instance } from "#test/support/engines/instance.ts";
import type { Browser } from "#test/support/sign-in/browser.ts";
import { done, signedIn } from "#test/support/sign-in/entering.ts";

/** Signs in with the form that a page shows; everybody's password is `<name>'s word`. */
export async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel("User name").fill(name);
  await page.getByLabel("Password").fill(`${name}'s word`);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Comes back to a page whose session has ended, once somebody has signed in next to it. */
export async function comeBack(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await page.bringToFront();
  await eventually(async () => {
    // It looks by itself when the tab is seen again, which a browser without a window does not always tell it.
    await dialog.getByRole("button", { name: "I am signed in" }).click({ timeout: 500 })
      .catch(() => {});
    if (await dialog.isVisible()) throw new Error("the page still asks to sign in");
  });
}

/** Permissions by the kind of resource that they are granted on. */
export type GrantedPermissions = Record<string, string[]>;

/**
 * Binds somebody to a new owner, who may do this and nothing else; resolves once that holds. Whom the configuration holds
 * for an administrator is none from then on. The returned function takes all of it away.
 */
export async function grant(
  site: Instance,
  admin: Browser,
  name: string,
  granted: GrantedPermissions,
): Promise<() => Promise<void>> {
  const statements = Object.entries(granted).map(([type, permissions]) => ({
    resource: { type },
    permissions,
  }));
  const called = `What ${name} may`;
  const policy = JSON.stringify({ statements });
  const { id } = await done(admin.call("POST", "/api/policies", { name: called, policy }));
  const role = await done(admin.call("POST", "/api/roles", { name: called, policies: [{ id }] }));
  const form = { name: `Owner of ${name}`, roles: [{ id: role.id }] };
  const owner = await done(admin.call("POST", "/api/owners", form));
  const binding = { owner_id: owner.id, oidc_username: name };
  await done(admin.call("POST", "/api/owners/mapping", binding));
  const person = await signedIn(site, name, `${name}'s word`);
  const everywhere = (granted.MANAGEMENT ?? []).toSorted();
  await eventually(async () => {
    const { identity } = await done(person.call("GET", "/api/identity/whoami"));
    const now = [...identity.permissions, ...identity.further_permissions].sort();
    if (now.join() !== everywhere.join()) throw new Error(`${name} may ${now.join(", ")}`);
  });
  return async () => {
    await done(admin.call("PUT", `/api/roles/${role.id}`, { name: called, policies: [] }));
    await eventually(async () => {
      const { identity } = await done(person.call("GET", "/api/identity/whoami"));
      const left = [...identity.permissions, ...identity.further_permissions];
      if (left.length > 0) throw new Error(`${name} still may ${left.join(", ")}`);
    });
  };
}
