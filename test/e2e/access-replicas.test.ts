import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type EngineSet, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { policyOf } from "#test/support/seed/seed-access.ts";
import type { Browser } from "#test/support/sign-in/browser.ts";
import { bearer, done, sameBrowserAt, signedIn } from "#test/support/sign-in/entering.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

const passwords = { root: "root's word", ada: "ada's word" };
const whoami = "/api/identity/whoami";

/** Everybody signs in with the form, and every permission is requested. */
const configOf = (set: EngineSet) => ({
  auth: {
    type: "LOGIN_FORM",
    "login-form-credentials": Object.entries(passwords).map((pair) => pair.join(":")).join(","),
    "enforce-all-gates": true,
    "login-form-administrators": "root",
  },
  session: set === "embedded" ? { provider: "INTERNAL_POSTGRESQL" } : {},
});

/** Passes once it is so; fails 2 s and one look after it was called. */
const within2s = (check: () => Promise<void>) => eventually(check, { within: 2_000 });

describe.each(oneSetBySize())("two replicas over one database, %s engines", (set) => {
  let one: Instance;
  let other: Instance;
  let root: Browser;
  beforeAll(async () => {
    const given = { services: [apiService], config: configOf(set) };
    one = await startInstance(set, given);
    other = await startInstance(set, { ...given, sharedDatabase: one.test });
    root = await signedIn(one, "root", passwords.root);
  });
  afterAll(async () => {
    await other?.stop();
    await one?.stop();
  });

  let serial = 0;
  const make = (path: string, body: object) => done(root.call("POST", path, body));
  const policyForm = (name: string, permission: "TAG_CREATE" | "TAG_DELETE") => ({
    name,
    policy: JSON.stringify(policyOf("MANAGEMENT", [permission])),
  });

  /** Binds ada to an owner whose roles make tags, and do nothing; ada's browser at the other replica. */
  async function boundAda() {
    const name = `of ada ${++serial}`;
    const policy = await make("/api/policies", policyForm(name, "TAG_CREATE"));
    const role = await make("/api/roles", { name, policies: [{ id: policy.id }] });
    const idle = await make("/api/roles", { name: `idle ${name}`, policies: [] });
    const owner = await make("/api/owners", { name, roles: [{ id: role.id }, { id: idle.id }] });
    await make("/api/owners/mapping", { owner_id: owner.id, oidc_username: "ada" });
    const ada = sameBrowserAt(other, await signedIn(one, "ada", passwords.ada));
    const mayMakeTags = async () =>
      (await ada.call("POST", "/api/tags", [{ name: `tag ${++serial}` }])).status;
    await within2s(async () => expect(await mayMakeTags()).toBe(200));
    return { name, policy, idle, owner, ada, mayMakeTags };
  }

  it("a session made on one is good on the other, and ends on both at once", async () => {
    const here = await signedIn(one, "ada", passwords.ada);
    const there = sameBrowserAt(other, here);
    expect((await done(there.call("GET", whoami))).identity.username).toBe("ada");
    expect((await there.post("/logout", {})).status).toBe(302);
    expect((await here.call("GET", whoami)).status).toBe(401);
    expect((await sameBrowserAt(other, here).call("GET", whoami)).status).toBe(401);
  });

  it("a personal token that is revoked on one ends on the other within 2 s", async () => {
    const { id, value } = await make("/api/identity/tokens", { name: "ends" });
    const request = () => other.send("GET", whoami, undefined, bearer(value));
    expect((await request()).status).toBe(200);
    await done(root.call("DELETE", `/api/identity/tokens/${id}`));
    await within2s(async () => expect((await request()).status).toBe(401));
  });

  it("a policy that is changed on one holds on the other within 2 s", async () => {
    const { name, policy, mayMakeTags } = await boundAda();
    await done(
      root.call("PUT", `/api/policies/${policy.id}`, policyForm(name, "TAG_DELETE")),
    );
    await within2s(async () => expect(await mayMakeTags()).toBe(403));
  });

  it("a role that is taken from an owner on one is gone on the other within 2 s", async () => {
    const { name, owner, idle, mayMakeTags } = await boundAda();
    await done(
      root.call("PUT", `/api/owners/${owner.id}`, { name, roles: [{ id: idle.id }] }),
    );
    await within2s(async () => expect(await mayMakeTags()).toBe(403));
  });

  it("a binding that is ended on one is over on the other within 2 s", async () => {
    const { name, owner, ada } = await boundAda();
    const states = async () => {
      const me = await done(ada.call("GET", whoami));
      return [me.owner?.name, me.identity.permissions.includes("TAG_CREATE")];
    };
    expect(await states()).toEqual([name, true]);
    await done(root.call("DELETE", `/api/owners/mapping/${owner.id}`));
    await within2s(async () => expect(await states()).toEqual([undefined, false]));
  });
});
