import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addSecrets, hyphenSecrets } from "./secrets.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "secrets-"));
  copyFileSync("docker-compose.yml", join(root, "docker-compose.yml"));
});
afterEach(() => rmSync(root, { recursive: true }));
const env = () => readFileSync(join(root, ".env"), "utf8");

it("addSecrets: makes every password that docker-compose.yml asks for, each another", () => {
  const added = addSecrets(root);
  const lines = env().trim().split("\n").map((line) => line.split("="));
  expect(added).toContain("TRIBUTARY_POSTGRES_PASSWORD");
  expect(added).toContain("TRIBUTARY_ADMIN_PASSWORD");
  expect(lines.map(([name]) => name)).toEqual(added);
  expect(new Set(lines.map(([, secret]) => secret)).size).toBe(added.length);
  for (const [, secret] of lines) expect(secret).toMatch(/^[0-9a-f]{48}$/);
  expect(statSync(join(root, ".env")).mode & 0o777).toBe(0o600);
});

it("addSecrets: what is there stays, and an empty one is missing", () => {
  writeFileSync(
    join(root, ".env"),
    "MINE=1\nTRIBUTARY_POSTGRES_PASSWORD=tributary\nTRIBUTARY_NEO4J_PASSWORD=",
  );
  const added = addSecrets(root);
  expect(added).not.toContain("TRIBUTARY_POSTGRES_PASSWORD");
  expect(added).toContain("TRIBUTARY_NEO4J_PASSWORD");
  expect(env()).toContain("MINE=1\nTRIBUTARY_POSTGRES_PASSWORD=tributary\n");
  const once = env();
  expect([addSecrets(root), env()]).toEqual([[], once]);
});

it("hyphenSecrets: names a password of Neo4j that begins with a hyphen, as one in 64 did", () => {
  writeFileSync(
    join(root, ".env"),
    "TRIBUTARY_NEO4J_PASSWORD=-secret\nTRIBUTARY_REDIS_PASSWORD=-x\n",
  );
  expect(hyphenSecrets(root)).toEqual(["TRIBUTARY_NEO4J_PASSWORD"]);
  writeFileSync(join(root, ".env"), "TRIBUTARY_NEO4J_PASSWORD=se-cret\n");
  expect(hyphenSecrets(root)).toEqual([]);
});
