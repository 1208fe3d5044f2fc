import { expect, it } from "vitest";
import { parse } from "yaml";
import { configurationText } from "#platform/backup/create.ts";
import { configKeys } from "#platform/config/keys.ts";
import type { Config } from "#platform/config/schema.ts";
import { isSecretKey } from "#platform/secrets.ts";

const textOf = (key: string, value: unknown) => {
  const path = key.replaceAll("{id}", "keycloak").split(".");
  const tree = path.reduceRight<unknown>((below, name) => ({ [name]: below }), value);
  return configurationText(tree as Config);
};

it.each(configKeys().map(({ key }) => key).filter(isSecretKey))(
  "a backup leaves out the value of %s and lists the key",
  async (key) => {
    const text = await textOf(key, "opensesame");
    expect(text).not.toContain("opensesame");
    expect(text).toContain(`#   ${key.replaceAll("{id}", "keycloak").split(".{n}")[0]}`);
  },
);

it("a backup retains periods and folders whose keys only sound like secrets", async () => {
  expect(parse(await textOf("connections.secrets-dir", "/run/secrets")))
    .toEqual({ connections: { "secrets-dir": "/run/secrets" } });
});

it("a backup leaves out an address with a password, and retains one without", async () => {
  expect(await textOf("metadata.postgres.url", "postgres://ada:opensesame@db/x")).not.toContain(
    "db/x",
  );
  expect(await textOf("metadata.postgres.url", "postgres://db/x")).toContain("postgres://db/x");
});
