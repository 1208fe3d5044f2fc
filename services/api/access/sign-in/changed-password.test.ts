import { expect, it } from "vitest";
import type { Browser } from "#test/support/sign-in/browser.ts";
import {
  ada,
  bob,
  newCache,
  replicas as newReplicas,
  whoami,
} from "#services/api/access/testing/replicas.ts";

const replicas = newReplicas();

it("a changed password ends the sessions and tokens of its user, and of nobody else", async () => {
  const cache = newCache();
  const before = replicas.open({ cache });
  const json = { accept: "application/json" };
  const tokens = new Map<string, string>();
  const browsers = new Map<string, Browser>();
  for (const { username, password } of [ada, bob]) {
    const browser = before.browser();
    await browser.post("/login", { username, password });
    browsers.set(username, browser);
    tokens.set(username, await before.mint(username));
    const bearer = { ...json, authorization: `Bearer ${tokens.get(username)}` };
    expect((await before.browser().get(whoami, bearer)).status).toBe(200);
  }
  const changed = { "login-form-credentials": `ada:another word,bob:${bob.hash}` };
  const after = replicas.open({ cache, auth: changed });
  for (const [name, status] of [["ada", 401], ["bob", 200]] as const) {
    const same = after.browser();
    same.cookies.set("SESSION", browsers.get(name)!.cookies.get("SESSION")!);
    const bearer = { ...json, authorization: `Bearer ${tokens.get(name)}` };
    expect([
      (await same.get(whoami, json)).status,
      (await after.browser().get(whoami, bearer)).status,
    ]).toEqual([status, status]);
  }
});
