import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

interface Module {
  specifier: string;
  dependencies?: {
    specifier: string;
    isDynamic?: boolean;
    code?: { specifier?: string };
  }[];
}

/** What a process imports when it starts, since it runs it. */
const service = /^#services\/[^/]+\/service\.ts$/;

/** Names that a program and the services it runs import when they start, of packages as they are written. */
function importedAtStart(program: string): Set<string> {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const text = execFileSync(process.execPath, ["info", "--json", program], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const { roots, modules } = JSON.parse(text) as { roots: string[]; modules: Module[] };
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const [names, seen, open] = [new Set<string>(), new Set<string>(), [...roots]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { specifier, isDynamic, code } of known.get(next)?.dependencies ?? []) {
      if (!code || isDynamic && !service.test(specifier)) continue;
      names.add(specifier);
      if (code.specifier) open.push(code.specifier);
    }
  }
  return names;
}

it("packages that only some installations use take no memory of the others", () => {
  const names = importedAtStart("main.ts");
  expect(names).toContain("zod");
  expect(names).toContain("pg");
  expect(names).toContain("#services/api/mcp/endpoint.ts");
  for (
    const optional of [
      "@opentelemetry/sdk-node",
      "@opentelemetry/exporter-trace-otlp-proto",
      "nodemailer",
      "kafkajs",
      "mysql2/promise",
      "neo4j-driver",
      "ioredis",
      "aws4fetch",
      "@modelcontextprotocol/server",
      "openid-client",
      "ldapts",
      "hyparquet",
      "fast-png",
      "@fastify/busboy",
      "re2js",
      "csv-parse",
      "yaml",
    ]
  ) {
    expect(names, optional).not.toContain(optional);
  }
});
