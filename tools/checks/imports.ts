import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { capture, type Check, repositoryFiles, root } from "./check.ts";
import { cycles } from "./cycles.ts";

/** Lower layers must not import higher ones; folders of one layer must not import each other. */
const layers = [
  ["kit"],
  ["contract"],
  ["metadata", "cache", "storage"],
  ["eventlog", "graph"],
  ["platform"],
  ["services"],
  ["main.ts"],
];

/** The folder of the web interface, which is outside all layers. */
const web = "web";

export const imports: Check = {
  name: "imports",
  cannotDetect: "imports whose name is computed, and coupling through tables, topics or globals",
  async run() {
    const files = await repositoryFiles(/\.(tsx?|mjs)$/);
    const edges = await importEdges(files);
    const problems = edges.flatMap(({ from, to, line }) => {
      const reason = forbidden(from, to);
      return reason ? [`${from}:${line} imports ${to}: ${reason}`] : [];
    });
    return { summary: `${edges.length} imports`, problems: [...problems, ...circles(edges)] };
  },
};

/** Files of the product, and features of the API, that import themselves through others. */
function circles(edges: Edge[]): string[] {
  const product = edges.filter(({ from, to }) => !isTest(from) && !isTest(to));
  const files = cycles(product, (file) => layerOf(file) < 0 && topOf(file) !== web ? null : file);
  const features = cycles(product, (file) => {
    const [services, api, folder, feature] = file.split("/");
    return services === "services" && folder === "features" ? `${api}/${feature}` : null;
  });
  return [...files, ...features].map((names) => `${names.join(", ")}: import each other`);
}

function layerOf(file: string): number {
  return layers.findIndex((names) => names.includes(topOf(file)));
}

/**
 * Why `from` must not import `to`, or null when it may. Both are paths in the repository.
 */
export function forbidden(from: string, to: string): string | null {
  if (topOf(to) === web && topOf(from) !== web) {
    return topOf(from) === "bench" ? null : "nothing knows the web interface";
  }
  if (isTest(from)) return null;
  if (topOf(from) === web) return fromWeb(from, to);
  const [importer, imported] = [layerOf(from), layerOf(to)];
  if (importer < 0) return null;
  if (isTest(to)) return "the product does not know its tests";
  if (imported < 0) return "the product does not know the tools";
  if (topOf(from) !== topOf(to)) return betweenFolders(from, to, importer, imported);
  return topOf(from) === "services" ? betweenServices(from, to) : null;
}

/** Folders of the interface from the lowest to the highest; those of one row do not know each other. */
const webLayers = [["api"], ["kit"], ["components", "graph"], ["features"], ["app"]];

/** Browser code is built separately, and talks to the product by HTTP alone. */
function fromWeb(from: string, to: string): string | null {
  if (topOf(to) !== web || isTest(to)) return "the web interface knows itself only";
  const [importer, imported] = [from, to].map((file) =>
    webLayers.findIndex((names) => names.includes(file.split("/")[1] ?? ""))
  );
  const [folder, feature] = from.split("/").slice(1);
  const [otherFolder, otherFeature] = to.split("/").slice(1);
  if (folder === otherFolder) {
    return folder === "features" && feature !== otherFeature
      ? "screens do not know each other: what they share is in web/components"
      : null;
  }
  // What the build is told stands next to the folders.
  if (importer === -1 && imported === -1) return null;
  return importer! > imported! ? null : `${folder} stands below or beside ${otherFolder}`;
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
  if (from.split("/")[1] !== to.split("/")[1]) return "services do not know each other";
  const [importer, imported] = [inFamily(from), inFamily(to)];
  if (!imported) return null;
  if (importer?.family === imported.family) {
    return importer.role === "routes" && imported.role === "private"
      ? "routes reach service.ts only"
      : null;
  }
  if (imported.role === "service") return null;
  if (!importer && (imported.role === "routes" || imported.role === "limits")) return null;
  return importer
    ? "families meet through service.ts only"
    : "of a family only its routes, service.ts and limits.ts are known outside";
}

/** The role of a file in its family; files not named here are private to it. */
type FileRole = "routes" | "service" | "limits" | "declaration" | "private";

/** A family is a folder of `services/api/features`, or of the folder there of a large subject; null for files elsewhere. */
function inFamily(file: string): { family: string; role: FileRole } | null {
  const [, family, name] =
    /^services\/api\/features\/((?:openlineage\/)?[^/]+)\/(.+)$/.exec(file) ?? [];
  if (!family || !name) return null;
  if (/^(.+-)?routes\.ts$/.test(name)) return { family, role: "routes" };
  if (name === "service.ts") return { family, role: "service" };
  if (name === "limits.ts") return { family, role: "limits" };
  if (/^(.+[.-])?(schemas|operations)\.ts$/.test(name)) return { family, role: "declaration" };
  return { family, role: "private" };
}

function isTest(file: string): boolean {
  return topOf(file) === "test" || /\.test\.tsx?$|\/testing\//.test(file);
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

/** Every import between files of the repository, including type-only and literal dynamic ones. */
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
