import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { digestOf } from "#kit/secret.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { rememberAccount } from "#services/api/access/callers/person.ts";
import { maxTokens } from "#services/api/features/personal-tokens/service.ts";
import { personalTokenRoutes } from "#services/api/features/personal-tokens/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy, callerFrom, type TestCaller } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const feature = featureUnderTest(personalTokenRoutes);
const { api: anonymous, database } = feature;
const path = "/api/identity/tokens";

const clock = { ...systemClock, now: () => Date.parse("2030-02-28T12:00:00.000Z") };
/** The operations, called by somebody at that time. */
const as = (who: TestCaller) =>
  testApi(calledBy(who, personalTokenRoutes({ ...feature.context, clock })));
let serial = 0;
const somebody = () => `user ${++serial}`;
const mint = async (who: TestCaller, more = {}) =>
  (await as(who).post(path, { name: "ci", ...more })).json;

describe("createPersonalToken", () => {
  it("200: shows the token whole, once, and keeps its digest", async () => {
    const ada = somebody();
    const expires_at = "2030-12-31T00:00:00.000Z";
    const answer = await as(ada).post(path, { name: " nightly ", expires_at, scope: "READ" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { id, value } = answer.json;
    expect(value).toMatch(/^trb_[A-Za-z0-9]{40}$/);
    const shown = {
      id,
      name: "nightly",
      hint: value.slice(-4),
      scope: "READ",
      created_at: expect.any(String),
      expires_at,
      last_used_at: null,
    };
    expect(answer.json).toEqual({ ...shown, value });
    const [row] = await database.db.query<{ text: string; digest: Uint8Array }>(
      "SELECT t::text AS text, digest FROM personal_token t WHERE id = $1",
      [id],
    );
    expect(row!.text).not.toContain(value);
    expect(row!.text).not.toContain(value.slice(4));
    expect([...row!.digest]).toEqual([...digestOf(value)]);
    expect((await as(ada).get(path)).json.items).toEqual([{ ...shown, value: null }]);
  });

  it("200: of scope ALL and without an end, unless told", async () => {
    expect(await mint(somebody())).toMatchObject({ scope: "ALL", expires_at: null });
    expect(await mint(somebody(), { expires_at: null })).toMatchObject({ expires_at: null });
  });

  it.each([
    [{}, "name"],
    [{ name: " " }, "name"],
    [{ name: "a\0b" }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ name: "x", scope: "WRITE" }, "scope"],
    [{ name: "x", expires_at: "tomorrow" }, "expires_at"],
    [{ name: "x", expires_at: "2030-02-28T12:00:00.000Z" }, "expires_at"],
    [{ name: "x", expires_at: "2035-02-28T12:00:00.001Z" }, "expires_at"],
  ])("400: %j names %s", async (form, field) => {
    const answer = await as(somebody()).post(path, form);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "USR001" });
    expect(answer.json.details[0]).toMatchObject({ field });
  });

  it("400: a misspelt member makes no token that may do everything", async () => {
    const answer = await as(somebody()).post(path, { name: "x", scopes: "READ" });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("scopes");
  });

  it("200: an end in exactly 5 years", async () => {
    const expires_at = "2035-02-28T12:00:00.000Z";
    expect(await mint(somebody(), { expires_at })).toMatchObject({ expires_at });
  });

  it("400 USR003: another of the caller's tokens has that name; others may", async () => {
    const ada = somebody();
    await mint(ada);
    const repeated = await as(ada).post(path, { name: "ci" });
    expect(repeated.status).toBe(400);
    expect(repeated.json).toMatchObject({ code: "USR003", details: [{ field: "name" }] });
    expect((await as(somebody()).post(path, { name: "ci" })).status).toBe(200);
    const namesake: Caller = { ...callerFrom(ada), provider: "ldap" };
    expect((await as(namesake).post(path, { name: "ci" })).status).toBe(200);
  });

  it(`400: no more than ${maxTokens} of one person, by however many calls at once`, async () => {
    const ada = somebody();
    await mint(ada);
    await database.db.query(
      `INSERT INTO personal_token (username, name, scope, digest, hint)
       SELECT $1, 'token ' || n, 'ALL', sha256(($1 || n)::bytea), 'hint' FROM generate_series(1, $2) n`,
      [ada, maxTokens - 3],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => as(ada).post(path, { name: `at once ${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.json.message).toContain(`${maxTokens}`);
  });

  it("403: a token makes no tokens", async () => {
    const answer = await as({ ...callerFrom("ada"), credential: "personal-token" })
      .post(path, { name: "x" });
    expect([answer.status, answer.json.message])
      .toEqual([403, "A token cannot make tokens: sign in to make one"]);
  });

  it("400: nobody is signed in, or a program calls", async () => {
    const nobody = await anonymous.post(path, { name: "x" });
    expect([nobody.status, nobody.json.message]).toEqual([
      400,
      "Nobody is signed in: personal tokens belong to people who sign in (auth.type)",
    ]);
    for (const caller of [serviceKey, collector]) {
      const answer = await as(caller).post(path, { name: "x" });
      expect(answer.status).toBe(400);
      expect(answer.json.message).toContain("belong to people");
    }
  });

  it("leaves what the last sign-in said of the person", async () => {
    const ada = somebody();
    const admin = async () =>
      (await database.db.query("SELECT admin FROM account WHERE username = $1", [ada]))[0];
    await rememberAccount(database.db, { username: ada, provider: "", admin: true });
    await mint(ada);
    expect(await admin()).toEqual({ admin: true });
    await rememberAccount(database.db, { username: ada, provider: "", admin: false });
    expect(await admin()).toEqual({ admin: false });
  });
});

const serviceKey: Caller = {
  kind: "service-key",
  name: "ADMIN",
  provider: "",
  admin: true,
  credential: "service-key",
};
const collector: Caller = {
  kind: "collector",
  name: "nightly",
  provider: "",
  credential: "collector-token",
};

describe("getPersonalTokens", () => {
  it("200: the caller's own, by name, in pages", async () => {
    const ada = somebody();
    for (const name of ["b", "c", "a"]) await mint(ada, { name });
    const { json } = await as(ada).get(`${path}?page=1&size=2`);
    expect(json.items.map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
    expect(json.page_info).toEqual({ total: 3, hasNext: true });
    expect((await as({ ...callerFrom(ada), provider: "ldap" }).get(path)).json.items).toEqual([]);
  });

  it("200: none where nobody is signed in, or for a program that is called as a person is", async () => {
    await mint("ADMIN");
    for (const api of [anonymous, as(serviceKey)]) {
      expect((await api.get(path)).json).toEqual({
        items: [],
        page_info: { total: 0, hasNext: false },
      });
    }
  });

  it("400: page 0", async () => {
    expect((await as("ada").get(`${path}?page=0`)).status).toBe(400);
  });
});

describe("deletePersonalToken", () => {
  it("204, then 404", async () => {
    const ada = somebody();
    const { id } = await mint(ada);
    expect((await as(ada).delete(`${path}/${id}`)).status).toBe(204);
    expect((await as(ada).delete(`${path}/${id}`)).status).toBe(404);
    expect((await as(ada).get(path)).json.items).toEqual([]);
  });

  it("404: somebody else's, and nobody's", async () => {
    const ada = somebody();
    const { id } = await mint(ada);
    const namesake: Caller = { ...callerFrom(ada), provider: "ldap" };
    for (const api of [as(somebody()), as(namesake), as({ ...serviceKey, name: ada }), anonymous]) {
      expect((await api.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect((await as(ada).get(path)).json.items).toHaveLength(1);
  });
});

it("auditors are told who made and revoked which token, and see none", async () => {
  const ada = somebody();
  let token = { id: 0, value: "" };
  const events = await auditedBy(database.db, async () => {
    token = await mint(ada, { scope: "READ" });
    await as(ada).post(path, { name: "ci" });
    await as(somebody()).delete(`${path}/${token.id}`);
    await as(ada).delete(`${path}/${token.id}`);
  });
  expect(events).toEqual([
    ["TOKEN_MINTED", ada, `personal token ${token.id} ci (READ)`],
    ["TOKEN_REVOKED", ada, `personal token ${token.id} ci`],
  ]);
  expect(JSON.stringify(events)).not.toContain(token.value);
});
