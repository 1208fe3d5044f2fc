import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
/** Downloads and state of engines; not part of the repository. */
export const cache = join(here, "..", "..", ".cache", "engines");

// Pinned, because the default version depends on the version of Maven.
const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/**
 * The directory with all jars of a program, an engine unless another `pom.xml` is told; fetched from Maven Central
 * once for each content of that file.
 * @param {string} name
 * @param {string} [pom]
 * @returns {Promise<string>}
 */
export async function jarsOf(name, pom = join(here, name, "pom.xml")) {
  await requireJava();
  const state = createHash("sha256").update(readFileSync(pom)).digest("hex").slice(0, 12);
  const target = join(cache, `${name}-${state}`);
  if (existsSync(target)) return target;
  // A temporary name until it is complete, so that two fetches at once do no harm.
  const draft = `${target}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  try {
    await maven([
      "-f",
      pom,
      copyDependencies,
      "-DincludeScope=runtime",
      `-DoutputDirectory=${draft}`,
    ]);
    if (!existsSync(target)) renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return target;
}

/** @param {string[]} args */
async function maven(args) {
  try {
    await run("mvn", ["-q", "-B", ...args], { timeout: 600_000, maxBuffer: 1 << 24 });
  } catch (error) {
    const { code, stdout } = /** @type {{ code?: unknown, stdout?: string }} */ (error);
    throw new Error(
      code === "ENOENT"
        ? "Maven is missing, which fetches Kafka and Neo4j: apt-get install maven"
        : `Maven could not fetch jars: ${String(stdout || error).slice(0, 2_000)}`,
    );
  }
}

async function requireJava() {
  const { stderr } = await run("java", ["-version"], { timeout: 30_000 }).catch(() => {
    throw new Error("Java is missing, on which Kafka and Neo4j run: apt-get install default-jdk");
  });
  const major = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 17);
  if (major < 17) throw new Error(`Kafka and Neo4j need Java 17 or newer, this is ${major}`);
}
