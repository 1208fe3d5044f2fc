import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { capture, type Check, repositoryFiles, root } from "./check.ts";
import { cycles } from "./cycles.ts";

/** Lower layers know nothing of higher ones; folders of one layer know nothing of each other. */
const layers = [
  ["kit"],
  ["contract"],
  ["metadata", "cache"],
  ["eventlog", "graph"],
  ["platform"],
  ["services"],
  ["main.ts"],
];

export const imports: Check = {
  name: "imports",
  cannotDetect: "imports whose name is computed, and coupling through tables, topics or globals",
  async run() {
    const files = await repositoryFiles(/\.(ts|mjs)$/);
    const edges = await importEdges(files);
    const problems = edges.flatMap(({ from, to, line }) => {
      const reason = forbidden(from, to);
      return reason ? [`${from}:${line} imports ${to}: ${reason}`] : [];
    });
    return { summary: `${edges.length} imports`, problems: [...problems, ...circles(edges)] };
  },
};

/** What imports itself by way of others: files of the product, and features of the API. */
function circles(edges: Edge[]): string[] {
  const product = edges.filter(({ from, to }) => !isTest(from) && !isTest(to));
  const files = cycles(product, (file) => layerOf(file) < 0 ? null : file);
  const features = cycles(product, (file) => {
    const [services, api, folder, feature] = file.split("/");
    return services === "services" && folder === "features" ? `${api}/${feature}` : null;
  });
  return [...files, ...features].map((names) => `${names.join(", ")}: import each other`);
}

function layerOf(file: string): number {
  return layers.findIndex((names) => names.includes(topOf(file)));
}

/** Why `from` must not import `to`, or null when it may. Both are paths in the repository. */
export function forbidden(from: string, to: string): string | null {
  if (isTest(from)) return null;
  const [importer, imported] = [layerOf(from), layerOf(to)];
  if (importer < 0) return null;
  if (isTest(to)) return "the product does not know its tests";
  if (imported < 0) return "the product does not know the tools";
  if (topOf(from) !== topOf(to)) return betweenFolders(from, to, importer, imported);
  return topOf(from) === "services" ? betweenServices(from, to) : null;
}

function betweenFolders(from: string, to: string, importer: number, imported: number) {
  if (importer <= imported) return `${topOf(from)} stands below or beside ${topOf(to)}`;
  const isPort = topOf(from) === "eventlog" || topOf(from) === "graph";
  if (isPort && topOf(to) === "metadata" && !from.split("/").includes("postgres")) {
    return "only the PostgreSQL adapter of a port may use metadata";
  }
  return null;
}

function betweenServices(from: string, to: string): string | null {
  const [, service, , feature] = from.split("/");
  const [, otherService, folder, otherFeature, ...rest] = to.split("/");
  if (service !== otherService) return "services do not know each other";
  if (/\/routes\.ts$/.test(from) && /\/queries\.ts$/.test(to)) {
    return "routes go through service.ts";
  }
  const crosses = from.split("/")[2] === "features" && folder === "features" &&
    feature !== otherFeature;
  return crosses && rest.join("/") !== "service.ts"
    ? "features meet through service.ts only"
    : null;
}

function isTest(file: string): boolean {
  return topOf(file) === "test" || /(\.test|\/test-[\w-]+)\.ts$/.test(file);
}

function topOf(file: string): string {
  return file.split("/")[0] ?? file;
}

interface Edge {
  from: string;
  to: string;
  line: number;
}

interface Module {
  specifier: string;
  error?: string;
  dependencies?: { code?: Target; type?: Target }[];
}

interface Target {
  specifier?: string;
  error?: string;
  span: { start: { line: number } };
}

/** Every import between files of the repository, type-only and literal dynamic ones included. */
async function importEdges(files: string[]): Promise<Edge[]> {
  const directory = join(root, ".cache", "checks");
  mkdirSync(directory, { recursive: true });
  const entry = join(directory, "entry.ts");
  writeFileSync(entry, files.map((file) => `import "../../${file}";\n`).join(""));
  const { code, stdout, stderr } = await capture(process.execPath, ["info", "--json", entry]);
  if (code !== 0) throw new Error(`deno info: ${stderr}`);
  const { modules } = JSON.parse(stdout) as { modules: Module[] };
  const own = new Set(files);
  return modules.flatMap((module) => {
    const from = inRepository(module.specifier);
    return own.has(from) ? (module.dependencies ?? []).flatMap((d) => edgesOf(from, d, own)) : [];
  });
}

function edgesOf(from: string, given: { code?: Target; type?: Target }, own: Set<string>): Edge[] {
  return [given.code, given.type].flatMap((target) => {
    const to = inRepository(target?.specifier ?? "");
    return target && own.has(to) ? [{ from, to, line: target.span.start.line + 1 }] : [];
  });
}

function inRepository(specifier: string): string {
  const base = pathToFileURL(`${root}/`).href;
  return specifier.startsWith(base) ? decodeURI(specifier.slice(base.length)) : "";
}
