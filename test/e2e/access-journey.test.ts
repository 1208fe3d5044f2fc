import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { policyOf } from "#test/support/seed/seed-access.ts";
import { type Browser, browserAt } from "#test/support/sign-in/browser.ts";
import { bearer, done, signedIn } from "#test/support/sign-in/entering.ts";
import { type FormMode, formModes, passwordOf } from "#test/support/sign-in/modes.ts";

const journeys = Object.keys(formModes).flatMap((mode) =>
  (mode === "LDAP" ? engineSets() : ["embedded" as const]).map((set) => [mode, set] as const)
);
const source = "//postgresql/host/db.example/databases/shop";
const requests = "/api/owner_association_request";
const tokens = "/api/identity/tokens";
const whoami = "/api/identity/whoami";
const my = "/api/dataentities/my?page=1&size=30";

describe.each(journeys)("a catalogue as its users see it, %s, %s engines", (name, set) => {
  let mode: FormMode;
  let instance: Instance;
  let ada: Browser;
  let admin: Browser;
  const ids: Record<string, number> = {};
  /** What nobody may read anywhere. */
  const secrets = [passwordOf("ada"), passwordOf("bob"), "a word that is wrong"];

  beforeAll(async () => {
    mode = await formModes[name]!();
    const auth = { ...mode.auth, ingestion: { filter: { enabled: true } } };
    const session = set === "embedded" ? { provider: "INTERNAL_POSTGRESQL" } : {};
    instance = await startInstance(set, { config: { auth, session } });
    admin = await signedIn(instance, "bob", passwordOf("bob"));
    ada = browserAt(instance.url);
    secrets.push(admin.cookies.get("SESSION")!);
  });
  afterAll(async () => {
    await instance?.stop();
    await mode?.stop();
  });

  const make = (path: string, body: object) => done(admin.call("POST", path, body));
  const send = async (path: string, body: object, headers = {}) =>
    (await instance.send("POST", path, body, headers)).status;
  const tag = (entity: string, by: Browser, headers = {}) =>
    by.call("PUT", `/api/dataentities/${ids[entity]}/tags`, { tag_name_list: ["pii"] }, headers);

  it("a collector delivers with its token, and is refused without", async () => {
    const { token: { value } } = await make("/api/collectors", { name: "nightly" });
    secrets.push(value);
    const sources = { items: [{ catrn: source, name: "Shop" }] };
    const items = ["orders", "customers"].map((table) => ({
      catrn: `${source}/tables/${table}`,
      name: table,
      type: "TABLE",
      dataset: { field_list: [] },
    }));
    const batch = { data_source_catrn: source, items };
    for (const headers of [{}, bearer("unknown"), { cookie: `SESSION=${secrets.at(-2)}` }]) {
      expect(await send("/ingestion/datasources", sources, headers)).toBe(401);
      expect(await send("/ingestion/entities", batch, headers)).toBe(401);
    }
    expect(await send("/ingestion/datasources", sources, bearer(value))).toBe(200);
    expect(await send("/ingestion/entities", batch, bearer(value))).toBe(200);
    expect((await instance.send("GET", whoami, undefined, bearer(value))).status).toBe(403);
    const list = await eventually(async () => {
      const found = await done(admin.call("GET", "/api/dataentities?page=1&size=30"));
      expect(found.items).toHaveLength(2);
      return found;
    });
    for (const { id, external_name } of list.items) ids[external_name] = id;
  });

  it("somebody is sent to the form, signs in with it, and comes back", async () => {
    const response = await ada.get(whoami);
    const login = response.headers.get("location")!;
    expect([response.status, login]).toEqual([302, `/login?return=${encodeURIComponent(whoami)}`]);
    expect(await (await ada.get(login)).text()).toContain('<form method="post" action="/login">');
    const enter = async (password: string) => {
      const answer = await ada.post("/login", { username: "ada", password, return: whoami });
      return answer.headers.get("location");
    };
    expect(await enter("a word that is wrong"))
      .toBe(`/login?error&return=${encodeURIComponent(whoami)}`);
    expect(await enter(passwordOf("ada"))).toBe(whoami);
    secrets.push(ada.cookies.get("SESSION")!);
    expect((await done(ada.call("GET", whoami))).identity.username).toBe("ada");
    expect(await done(ada.call("GET", my))).toEqual([]);
  });

  it("she asks for an owner, whom an administrator approves, and what it owns is hers", async () => {
    const may = policyOf("DATA_ENTITY", ["DATA_ENTITY_TAGS_UPDATE"], { is: "dataEntity:owner" });
    const policy = await make("/api/policies", { name: "Own", policy: JSON.stringify(may) });
    const role = await make("/api/roles", { name: "Team", policies: [{ id: policy.id }] });
    await make("/api/owners", { name: "Data Team", roles: [{ id: role.id }] });
    if (mode.provider === null) await makeOrdinary();
    const response = await done(ada.call("POST", requests, { name: "Data Team" }));
    expect(response.status).toBe("PENDING");
    const itself = await ada.call("PUT", `${requests}/${response.id}`, { status: "APPROVED" });
    expect([itself.status, itself.json.message])
      .toEqual([403, "OWNER_ASSOCIATION_MANAGE is required"]);
    const waiting = await done(admin.call("GET", `${requests}?status=PENDING&page=1&size=30`));
    expect(waiting.items).toMatchObject([
      { id: response.id, username: "ada", owner_name: "Data Team", provider: mode.provider },
    ]);
    await done(admin.call("PUT", `${requests}/${response.id}`, { status: "APPROVED" }));
    expect((await done(ada.call("GET", whoami))).owner.name).toBe("Data Team");
    await make(`/api/dataentities/${ids.orders}/ownership`, { owner_name: "Data Team" });
    expect(await done(ada.call("GET", my)))
      .toMatchObject([{ id: ids.orders, external_name: "orders" }]);
  });

  /** Whom the configuration holds for an administrator is none with an owner that has other roles. */
  async function makeOrdinary(): Promise<void> {
    const { items } = await done(admin.call("GET", "/api/roles?page=1&size=30&query=User"));
    const owner = await make("/api/owners", { name: "Newcomers", roles: [{ id: items[0].id }] });
    await make("/api/owners/mapping", { owner_id: owner.id, oidc_username: "ada" });
    await eventually(async () =>
      expect((await done(ada.call("GET", whoami))).identity.permissions).toEqual([])
    );
  }

  it("she may do what the policy of her role allows, and nothing else", async () => {
    await eventually(async () => expect((await tag("orders", ada)).status).toBe(200));
    const others = await tag("customers", ada);
    expect([others.status, others.json.message])
      .toEqual([403, `DATA_ENTITY_TAGS_UPDATE on data entity ${ids.customers} is required`]);
    const tags = await ada.call("POST", "/api/tags", [{ name: "mine" }]);
    expect([tags.status, tags.json.message]).toEqual([403, "TAG_CREATE is required"]);
    expect((await ada.call("GET", "/api/audit")).json.message).toBe("AUDIT_VIEW is required");
    expect((await tag("customers", admin)).status).toBe(200);
  });

  it("her script does with a token what she may, or only reads", async () => {
    const all = await done(ada.call("POST", tokens, { name: "all" }));
    const read = await done(ada.call("POST", tokens, { name: "read", scope: "READ" }));
    secrets.push(all.value, read.value);
    const script = browserAt(instance.url);
    for (const { value } of [all, read]) {
      expect(await done(script.call("GET", my, undefined, bearer(value)))).toHaveLength(1);
    }
    expect((await tag("orders", script, bearer(all.value))).status).toBe(200);
    expect((await tag("customers", script, bearer(all.value))).status).toBe(403);
    expect((await tag("orders", script, bearer(read.value))).json.message)
      .toBe("This token may only read (scope READ)");
    await done(ada.call("DELETE", `${tokens}/${all.id}`));
    await eventually(async () =>
      expect((await tag("orders", script, bearer(all.value))).status).toBe(401)
    );
    expect((await ada.post("/logout", {})).headers.get("location")).toBe("/login?logout");
    expect((await ada.call("GET", my)).status).toBe(401);
  });

  it("auditors are told all of it, and neither they nor the log any secret", async () => {
    const { text, json } = await admin.call("GET", "/api/audit?page=1&size=1000");
    const audited = json.items.map((e: Record<string, string>) => `${e.type} ${e.actor}`);
    expect(new Set(audited)).toEqual(
      new Set([
        ...["SIGNED_IN", "SIGNED_OUT", "SIGN_IN_FAILED", "OWNER_REQUESTED"].map((e) => `${e} ada`),
        ...["REFUSED", "TOKEN_MINTED", "TOKEN_REVOKED"].map((e) => `${e} ada`),
        ...["SIGNED_IN", "TOKEN_MINTED", "POLICY_CREATED", "ROLE_CREATED"].map((e) => `${e} bob`),
        ...["OWNER_ROLES_CHANGED", "OWNER_REQUEST_APPROVED", "OWNER_BOUND"].map((e) => `${e} bob`),
        // Approved, she leaves the owner that made her an ordinary user.
        ...(mode.provider === null ? ["OWNER_UNBOUND bob"] : []),
      ]),
    );
    const logged = instance.logs.join("\n");
    expect(logged).toContain('"SIGNED_IN"');
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
  });
});
