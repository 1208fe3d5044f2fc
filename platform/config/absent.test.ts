import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { absentKeys, configKeys, envName } from "#platform/config/keys.ts";
import { ConfigError, loadConfig } from "#platform/config/load.ts";

/** The problems reported for an environment, or for a file. */
function problems(env: Record<string, string>, text = ""): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "absent-")), "tributary.yaml");
  writeFileSync(file, text);
  try {
    loadConfig({ env, file });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** A file that sets one key. */
const yamlOf = (key: string) =>
  key.split(".").map((step, depth) => `${"  ".repeat(depth)}${step}:`).join("\n") + " x";

const leaves = absentKeys.filter(({ family }) => !family);
const families = absentKeys.filter(({ family }) => family);
const hint = /not there yet: \w|not a key of this product; (use [A-Za-z]|\/|docs|locks|a part|the)/;

describe("keys of the published contract that are none here", () => {
  it.each(leaves.map(({ key }) => key))("%s is refused by name in a file", (key) => {
    const [problem, ...more] = problems({}, yamlOf(key));
    expect(more).toEqual([]);
    expect(problem).toMatch(hint);
    expect(problem!.startsWith(`${key}: `)).toBe(true);
  });

  it.each(leaves.map(({ key }) => envName(key)))("%s is refused by name", (name) => {
    const [problem, ...more] = problems({ [name]: "x" });
    expect(more).toEqual([]);
    expect(problem).toMatch(hint);
    expect(problem!.startsWith(`${name}: `)).toBe(true);
  });

  it.each(families.map(({ key }) => key))("%s.any is refused by name in a file", (key) => {
    const [problem, ...more] = problems({}, yamlOf(`${key}.any.thing`));
    expect(more).toEqual([]);
    expect(problem).toMatch(hint);
  });

  it("are no keys of the schema, and name keys of the schema in their place", () => {
    const known = configKeys().map(({ key }) => key);
    const claimed = known.filter((key) =>
      absentKeys.some((one) => key === one.key || (one.family && key.startsWith(`${one.key}.`)))
    );
    expect(claimed).toEqual([]);
    const used = absentKeys.flatMap(({ use }) => use ?? []);
    expect(used.filter((key) => !known.includes(key))).toEqual([]);
  });

  it.each([
    ["SPRING_DATASOURCE_URL", /use METADATA_POSTGRES_URL$/],
    ["SPRING_DATASOURCE_PASSWORD", /use METADATA_POSTGRES_URL$/],
    ["SPRING_CUSTOMDATASOURCE_URL", /use METADATA_LOOKUP_URL$/],
    ["SPRING_CODEC_MAXINMEMORYSIZE", /use INGESTION_MAX_BODY_SIZE$/],
    ["SPRING_SESSION_TIMEOUT", /use SESSION_IDLE_TIMEOUT$/],
    ["AUTH_OAUTH2_CLIENT_GITHUB_CLIENTID", /nearest is AUTH_OAUTH2_CLIENT_GITHUB_CLIENT_ID$/],
    ["AUTH_LDAP_USERFILTER_SEARCHBASE", /spelled AUTH_LDAP_USER_FILTER_SEARCH_BASE here$/],
    ["CATALOG_LINKS_0_ADDRESS", /unknown key/],
  ])("the variable %s is refused", (name, expected) => {
    expect(problems({ [name]: "hunter2" })).toEqual([expect.stringMatching(expected)]);
    expect(problems({ [name]: "hunter2" })[0]).not.toContain("hunter2");
    expect(problems({ [name]: "" })).toEqual([]);
  });

  it("does not show a secret of which braces made a key", () => {
    const text = "auth: { login-form-credentials: { hunter2: hunter3 } }";
    const clean = expect.not.stringMatching(/hunter/);
    expect(problems({}, text)).toEqual([clean, clean]);
    const client =
      "auth: { oauth2: { client: { google: { client-secret: { hunter2: hunter3 } } } } }";
    expect(problems({}, client)).toEqual([
      expect.stringMatching(/^auth\.oauth2\.client\.google\.client-secret: must be one value/),
      clean,
    ]);
  });

  it.each([
    "SPRING_PROFILES_ACTIVE",
    "MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE",
    "LOGGING_LEVEL_ROOT",
    "SPRINGDOC_SWAGGER_UI_PATH",
  ])("the variable %s is only warned of, since nothing is lost", (name) => {
    const warned: string[] = [];
    const env = { [name]: "x", TRIBUTARY_CONFIG: "" };
    loadConfig({ env, warn: (text) => warned.push(text) });
    expect(warned).toEqual([expect.stringMatching(`^${name}: not a key of this product; `)]);
  });

  it.each(["METRICS_PORT", "SESSION_SERVICE_HOST", "ATTACHMENT_PORT_80_TCP", "DATADIR", "PATH"])(
    "the variable %s is somebody else's",
    (name) => {
      const warned: string[] = [];
      loadConfig({ env: { [name]: "x" }, warn: (text) => warned.push(text) });
      expect(warned).toEqual([]);
    },
  );
});

describe("hints", () => {
  it("name the spelling of a variable whose hyphens were dropped", () => {
    expect(problems({ CATALOG_PLATFORMBASEURL: "http://a" }))
      .toEqual(["CATALOG_PLATFORMBASEURL: spelled CATALOG_PLATFORM_BASE_URL here"]);
    expect(problems({ INGESTION_ACKTIMEOUT: "1 s" }))
      .toEqual(["INGESTION_ACKTIMEOUT: spelled INGESTION_ACK_TIMEOUT here"]);
  });
  it("name the nearest key, and none that is far away", () => {
    expect(problems({}, "server: { prot: 1 }"))
      .toEqual(["server.prot: unknown key; the nearest is server.port"]);
    expect(problems({}, "colour: green"))
      .toEqual(["colour: unknown key; docs/operate/configuration.md has every key"]);
  });
});
