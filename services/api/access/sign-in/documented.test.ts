import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { configKeys } from "#platform/config/keys.ts";
import { loadConfig } from "#platform/config/load.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { ldapMode } from "#services/api/access/ldap/mode.ts";
import { loginForm } from "#services/api/access/sign-in/credentials.ts";
import { outputOf } from "#test/support/documents.ts";

const text = readFileSync("docs/operate/sign-in.md", "utf8");
const examples = [...text.matchAll(/```yaml sign-in\n([^]*?)```/g)].map(([, example]) => example!);

describe("docs/operate/sign-in.md", () => {
  it.each(examples)("its configuration is one: %#", (example) => {
    const file = join(mkdtempSync(join(tmpdir(), "documented-")), "tributary.yaml");
    writeFileSync(file, example);
    const { auth } = loadConfig({ env: {}, file });
    const deps = { clock: systemClock, log: silentLogger, metrics: noMetrics };
    auth.ldap.ssl["ca-file"] = undefined;
    const config = { ...loadConfig({ env: {}, file }), auth };
    if (auth.type === "LDAP") expect(ldapMode({ config, ...deps }).passwords).toBeDefined();
    else expect(auth.type).toMatch(/^(OAUTH2|LOGIN_FORM)$/);
  });

  const users = examples.find((example) => example.includes("login-form-credentials"))!;
  const entered = async (credentials: string, password: string) => {
    const given = { type: "LOGIN_FORM", "login-form-credentials": credentials };
    return await loginForm({ config: Config.parse({ auth: given }), metrics: noMetrics }).passwords!
      .check("ada", password, { network: "127.0.0.0", isFurtherName: () => Promise.resolve(true) });
  };

  it("its command prints a hash of the password that its users sign in with", async () => {
    const [, command] = /`(printf [^`]+ password)`/.exec(text)!;
    const [, password] = /^printf '%s' '([^']+)'/.exec(command!)!;
    const hash = await outputOf(command!);
    const [, documented] = /"ada:([^"]+)"/.exec(users)!;
    for (const one of [hash, documented!]) {
      expect(one).toMatch(/^\$2b\$12\$/);
      expect(await entered(`ada:${one}`, password!)).toMatchObject({ username: "ada" });
      expect(await entered(`ada:${one}`, "wrong")).toBeUndefined();
    }
    expect(hash).not.toBe(documented);
  });

  it("the keys that it names are keys", () => {
    const named = [...text.matchAll(/`((?:auth|session|server|catalog|cache)\.[a-z0-9.-]+)/g)]
      .map(([, key]) => key!);
    const known = new Set(configKeys().map(({ key }) => key));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((key) => !known.has(key))).toEqual([]);
  });

  it("the environment takes the ids of clients, as it says", () => {
    const [, name] = /`(AUTH_OAUTH2_CLIENT_\w+)` is that of `staff`/.exec(text)!;
    const file = join(mkdtempSync(join(tmpdir(), "documented-")), "tributary.yaml");
    writeFileSync(file, examples.find((example) => example.includes("staff:"))!);
    const { auth } = loadConfig({ env: { [name!]: "from outside" }, file });
    expect(auth.oauth2.client.staff!["client-secret"]).toBe("from outside");
  });

  it("has examples of every way to sign in", () => {
    for (const known of ["keycloak:", "google:", "github:", "azure:", "okta:", "cognito"]) {
      expect(examples.some((example) => example.includes(known)), known).toBe(true);
    }
    expect(examples.filter((example) => example.includes("type: LDAP"))).toHaveLength(3);
  });
});
