// Generates the passwords that docker-compose.yml needs; those already in .env are stored.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Adds missing passwords to `.env` in `root`, readable by the owner only; returns the names added.
 * @param {string} root
 */
export function addSecrets(root) {
  const file = join(root, ".env");
  const compose = readFileSync(join(root, "docker-compose.yml"), "utf8");
  const found = existsSync(file) ? readFileSync(file, "utf8") : "";
  const wanted = new Set([...compose.matchAll(/\$\{(TRIBUTARY_\w+):\?/g)].map((match) => match[1]));
  const missing = [...wanted].filter((name) => !new RegExp(`^${name}=.`, "m").test(found)).sort();
  if (missing.length === 0) return [];
  // Hexadecimal: Neo4j's set-up reads a password that begins with a hyphen as an option, and does not start.
  const lines = missing.map((name) => `${name}=${randomBytes(24).toString("hex")}\n`);
  const before = found === "" || found.endsWith("\n") ? found : `${found}\n`;
  // `mode` applies only to a new file; an existing one may have been created by hand.
  writeFileSync(file, before + lines.join(""), { mode: 0o600 });
  return missing;
}

/**
 * Names of the passwords in `.env` that begin with a hyphen, which Neo4j refuses; earlier releases generated such ones.
 * @param {string} root
 */
export function hyphenSecrets(root) {
  const found = readFileSync(join(root, ".env"), "utf8");
  return [...found.matchAll(/^(TRIBUTARY_NEO4J_\w+)=["']?-/gm)].map((match) => match[1]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const added = addSecrets(root);
  console.log(added.length === 0 ? ".env has them all" : `.env: added ${added.join(", ")}`);
  console.log("Sign in as admin with TRIBUTARY_ADMIN_PASSWORD of .env (docs/operate/compose.md)");
  for (const name of hyphenSecrets(root)) {
    console.error(
      `.env: ${name} begins with a hyphen, so Neo4j does not start: remove that line, run this again`,
    );
    process.exitCode = 1;
  }
}
