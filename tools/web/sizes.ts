// What a browser loads of the built web interface, in bytes as they are sent (brotli), from the manifest of the build.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}

/** A screen or a tab: what it loads on demand. */
export interface RouteSize {
  /** Its module, such as `features/search/route.tsx`; of the lineage screens their file. */
  module: string;
  /** Bytes that the first load has not brought. */
  bytes: number;
}

export interface Sizes {
  /** Bytes of the entry with all that it imports, and its styles: the frame and the first screen. */
  first: number;
  /** Largest first. */
  routes: RouteSize[];
  /** Bytes of chunks and styles that the lineage screens load and no other screen does. */
  lineage: number;
  /** Bytes of the layout worker, which starts next to the screen. */
  worker: number;
}

/** Maximum number of bytes of each. */
export const budgets = { first: 120_000, route: 80_000, lineage: 25_000 };

/** Sizes of a build in `site`. */
export function sizesOf(site: string): Sizes {
  const path = join(site, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, Chunk>;
  const bytes = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + sizeOf(join(site, file)), 0);
  const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry)!;
  const first = filesOf(manifest, entry);
  const modules = screensOf(manifest, entry);
  const own = new Map(modules.map((module) => {
    return [module, filesOf(manifest, module).difference(first)] as const;
  }));
  return {
    first: bytes(first),
    routes: [...own]
      .map(([module, files]) => ({ module, bytes: bytes(files) }))
      .sort((a, b) => b.bytes - a.bytes),
    lineage: bytes(lineageOnly(own)),
    worker: bytes(workers(manifest)),
  };
}

/** Modules that the table of routes loads on demand; that of lineage goes by the name of its group in `web/chunks.ts`. */
function screensOf(manifest: Record<string, Chunk>, entry: string): string[] {
  const inEntry = manifest[entry]!.dynamicImports ?? [];
  return inEntry.filter((name) => name.startsWith("features/") || isLineage(name));
}

const isLineage = (module: string) => module.startsWith("_lineage-");

/** Files of a chunk and of everything that it imports at once. */
function filesOf(manifest: Record<string, Chunk>, name: string): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (at: string) => {
    if (seen.has(at)) return;
    seen.add(at);
    const { file, css = [], imports = [] } = manifest[at]!;
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(visit);
  };
  visit(name);
  return files;
}

function lineageOnly(own: Map<string, Set<string>>): Set<string> {
  let [found, others] = [new Set<string>(), new Set<string>()];
  for (const [module, files] of own) {
    if (isLineage(module)) found = found.union(files);
    else others = others.union(files);
  }
  return found.difference(others);
}

function workers(manifest: Record<string, Chunk>): Set<string> {
  const assets = Object.values(manifest).flatMap(({ file, assets = [] }) => [file, ...assets]);
  return new Set(assets.filter((file) => /worker[^/]*\.js$/.test(file)));
}

/** Bytes as sent: compressed where the build did so. */
function sizeOf(file: string): number {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}
