import { describe, expect, it } from "vitest";
import { exposureOf, shortestSecret } from "#platform/config/exposure.ts";
import { Config } from "#platform/config/schema.ts";

const long = "s".repeat(shortestSecret);
const of = (config: object, services = ["api"]) => exposureOf(Config.parse(config), services);
const everywhere = { server: { host: "0.0.0.0" } };
const form = (more: object = {}) => ({ auth: { type: "LOGIN_FORM", ...more } });
const own = { "login-form-credentials": "ada:correct horse" };
const filter = { ingestion: { filter: { enabled: true } } };

describe("what a configuration opens", () => {
  it.each<[string, object, RegExp]>([
    ["nobody signs in", everywhere, /auth\.type: DISABLED .* auth\.allow-open-access/],
    ["on IPv6", { server: { host: "::" } }, /auth\.type: DISABLED/],
    ["on one network", { server: { host: "10.0.0.5" } }, /auth\.type: DISABLED/],
    ["default users", { ...everywhere, ...form() }, /default password of admin, root /],
    ["one default user", {
      ...everywhere,
      ...form({ "login-form-credentials": "ada:x, root:root" }),
    }, /default password of root /],
    [
      "a short service key",
      { auth: { s2s: { enabled: true, token: "a7" } } },
      /auth\.s2s\.token: has 2 characters/,
    ],
    [
      "a short token of exporters",
      { traces: { token: "12345678" } },
      /traces\.token: has 8 characters/,
    ],
  ])("is refused: %s", (_, config, reason) => {
    expect(of(config).refused).toEqual([expect.stringMatching(reason)]);
  });

  it.each<[string, object]>([
    ["nobody signs in, on this machine alone", {}],
    ["nobody signs in, acknowledged", { ...everywhere, auth: { "allow-open-access": true } }],
    ["default users, acknowledged", { ...everywhere, ...form({ "allow-open-access": true }) }],
    ["users of its own", { ...everywhere, ...form(own) }],
    ["long secrets", { auth: { s2s: { enabled: true, token: long } }, traces: { token: long } }],
    ["a short key that is not in use", { auth: { s2s: { token: "a7" } } }],
  ])("is not refused: %s", (_, config) => {
    expect(of(config).refused).toEqual([]);
  });

  it("concerns the process of the API alone, but for secrets", () => {
    expect(of(everywhere, ["ingest-consumer"]).refused).toEqual([]);
    expect(of({ traces: { token: "12345678" } }, ["trace-gateway"]).refused).toHaveLength(1);
  });

  it("warns of ingestion that is open beside sign-in, default users, and nobody in charge", () => {
    expect(of({}).warned).toEqual([]);
    expect(of(form({ ...own, ...filter })).warned).toEqual([]);
    expect(of(form(own)).warned).toEqual([expect.stringContaining("may ingest")]);
    expect(of(form(filter)).warned).toEqual([expect.stringContaining("default password")]);
    expect(of(form({ ...own, ...filter, "enforce-all-gates": true })).warned)
      .toEqual([expect.stringContaining("login-form-administrators")]);
  });

  it("names administrators among the users only", () => {
    const named = (names: string) =>
      Config.safeParse(form({ ...own, "login-form-administrators": names })).success;
    expect([named("ada"), named("eve"), named("ada,eve")]).toEqual([true, false, false]);
  });
});
