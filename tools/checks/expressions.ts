import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Diagnostics } from "recheck";
import ts from "typescript";
import { capture, type Check, type CheckResult, root } from "./check.ts";
import { alternativesOf, type Expression, expressionsOf } from "./expression-text.ts";
import { isExcused, lineOf, shippedFiles } from "./program.ts";

/** The comment that excuses an expression, with its length limit: `// expression-ok -- 20 characters`. */
const excuse = "expression-ok";

/**
 * Settings for expressions that cannot be proven: they are tried on texts of up to 20,000 characters, and
 * judged by steps, never by time, so that a busy machine gives the same result. An expression that does not
 * finish counts as not evaluated.
 */
const trying = {
  checker: "fuzz",
  timeout: 60_000,
  attackTimeout: null,
  attackLimit: 50_000_000,
  maxAttackStringSize: 20_000,
} as const;

/** Results of earlier runs; the result for an expression never changes. */
const remembered = join(root, "node_modules", ".cache", "tributary-expressions.json");

/** Checks that the time of every regular expression grows at most linearly with its input. */
export const expressions: Check = {
  name: "expressions",
  cannotDetect: "expressions of libraries, of SQL and of zod's own formats, a linear one that is " +
    "asked again for each place of a text, and what with look-behinds or back-references was only tried",
  // In a process of its own: while it proves something, no other check of its process goes on.
  async run() {
    const { code, stdout, stderr } = await capture(process.execPath, ["run", "-A", self]);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  },
};

const self = fileURLToPath(import.meta.url);

async function checkExpressions(): Promise<CheckResult> {
  const checker = new ExpressionChecker();
  let count = 0;
  const problems: string[] = [];
  for (const file of await shippedFiles()) {
    const text = readFileSync(join(root, file), "utf8");
    const { found, seen } = await expressionsIn(file, text, checker);
    problems.push(...found);
    count += seen;
  }
  checker.remember();
  return { summary: `${count} expressions`, problems };
}

/** The problems with the expressions of one file. */
export async function expressionsIn(
  name: string,
  text: string,
  checker: ExpressionChecker,
): Promise<{ found: string[]; seen: number }> {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  const all = expressionsOf(file);
  const found: string[] = [];
  for (const expression of all) {
    if (isExcused(expression.node, excuse)) continue;
    const wrong = await checker.wrong(expression);
    const shown = expression.node.getText().slice(0, 120);
    if (wrong !== null) found.push(`${name}:${lineOf(expression.node)}: ${wrong}: ${shown}`);
  }
  return { found, seen: all.length };
}

/** Judges how the time of expressions grows, and caches the results. */
export class ExpressionChecker {
  readonly #known: Map<string, string | null>;

  constructor(private readonly file = remembered) {
    this.#known = new Map(Object.entries(cached(file)));
  }

  /** Why an expression is not allowed; null when it is. */
  async wrong({ source, flags }: Pick<Expression, "source" | "flags">): Promise<string | null> {
    if (source === null) return "not known before it runs; name what bounds it";
    const key = `/${source}/${flags}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const diagnostics = await evaluate(source, flags);
    this.#known.set(key, diagnostics);
    return diagnostics;
  }

  remember(): void {
    mkdirSync(join(this.file, ".."), { recursive: true });
    writeFileSync(this.file, JSON.stringify(Object.fromEntries(this.#known)));
  }
}

/** An expression that cannot be proven as a whole is proven by its alternatives if possible, and tried. */
async function evaluate(source: string, flags: string): Promise<string | null> {
  // The other backends are a native binary and a Java program. Its synchronous form misses answers of its thread on a busy machine.
  process.env.RECHECK_BACKEND = "pure";
  const { check } = await import("recheck");
  const proof = await check(source, flags, { checker: "automaton", timeout: trying.timeout });
  if (proof.status !== "unknown") return wrongBy(proof);
  const parts = alternativesOf(source);
  for (const part of parts.length > 1 ? parts : []) {
    const wrong = await evaluate(part, flags);
    if (wrong !== null) return `${wrong} in ${part}`;
  }
  return wrongBy(await check(source, flags, trying));
}

function wrongBy(diagnostics: Diagnostics): string | null {
  if (diagnostics.status === "safe") return null;
  if (diagnostics.status === "unknown") return `cannot be evaluated (${diagnostics.error.kind})`;
  return `takes time of ${diagnostics.complexity.summary}`;
}

function cached(file: string): Record<string, string | null> {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

if (import.meta.main) console.log(JSON.stringify(await checkExpressions()));
