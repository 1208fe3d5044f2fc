import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { loadConfig } from "#platform/config/load.ts";
import { ldapMode } from "#services/api/access/ldap/mode.ts";

const text = readFileSync("docs/sign-in.md", "utf8");
const examples = [...text.matchAll(/```yaml sign-in\n([^]*?)```/g)].map(([, example]) => example!);

describe("docs/sign-in.md", () => {
  it.each(examples)("its configuration is one: %#", (example) => {
    const file = join(mkdtempSync(join(tmpdir(), "documented-")), "tributary.yaml");
    writeFileSync(file, example);
    const { auth } = loadConfig({ env: {}, file });
    const parts = { log: silentLogger, metrics: noMetrics };
    auth.ldap.ssl["ca-file"] = undefined;
    const config = { ...loadConfig({ env: {}, file }), auth };
    if (auth.type === "LDAP") expect(ldapMode({ config, ...parts }).passwords).toBeDefined();
    else expect(auth.type).toMatch(/^(OAUTH2|LOGIN_FORM)$/);
  });

  it("has examples of every way to sign in", () => {
    for (const known of ["keycloak:", "google:", "github:", "azure:", "okta:", "cognito"]) {
      expect(examples.some((example) => example.includes(known)), known).toBe(true);
    }
    expect(examples.filter((example) => example.includes("type: LDAP"))).toHaveLength(3);
  });
});
