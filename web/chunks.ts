import { firstAreas } from "./messages/areas.ts";

/** What the bundler knows about a module. */
interface Graph {
  getModuleInfo(id: string): Record<Neighbours, readonly string[]> | null;
}
/** Modules that import one immediately, and those that it imports so. */
type Neighbours = "importers" | "importedIds";

/** What the frame imports by the index of a library alone, which imports it for others. */
const forOthers =
  /lucide-react[\\/]dist[\\/]esm[\\/]icons|[\\/](\w*(queries|mutation|infiniteQuery)Observer|use(Queries|Mutation|InfiniteQuery))\.js$/;

/** Whether neighbours lead from a module to one of those that `ends` names, along imports that are no lazy ones. */
function leadsTo(ends: RegExp, neighbours: Neighbours) {
  const known = new Map<string, boolean>();
  const visit = (id: string, graph: Graph): boolean => {
    if (forOthers.test(id)) return false;
    const found = known.get(id);
    if (found !== undefined) return found;
    // Of a cycle, others decide.
    known.set(id, false);
    const is = ends.test(id) ||
      (graph.getModuleInfo(id)?.[neighbours] ?? []).some((one) => visit(one, graph));
    known.set(id, is);
    return is;
  };
  return visit;
}

/** Whether a module is loaded immediately with one of these. */
const loadedWith = (roots: RegExp) => leadsTo(roots, "importers");

/** The frame and the first screen. */
const isFirst = loadedWith(/\/web\/(app\/main\.tsx|index\.html)$/);
const isLineage = loadedWith(/\/web\/features\/lineage\/route\.tsx$/);
/** Other screens draw by the same means, but not all of them. */
const isDrawing = loadedWith(/\/web\/features\/(?!lineage\/)/);

const choosing = /node_modules[\\/]@base-ui[\\/]react[\\/](combobox|autocomplete)[\\/]/;
const loadsChoosing = leadsTo(choosing, "importedIds");

/** Messages of what is loaded first, and of the rest: a file of each for every language. */
function messagesFile(id: string): string | null {
  const [, names] = /\/contract\/names\/(\w+)\.json/.exec(id) ?? [];
  if (names) return `messages-${names}-first`;
  const [, language, area] = /\/messages\/(\w+)\/([\w-]+)\.json/.exec(id) ?? [];
  if (!language || !area) return null;
  return `messages-${language}${firstAreas.includes(area) ? "-first" : ""}`;
}

/**
 * Which modules share a file. Left alone, the bundler makes a file for each set of screens that share something: dozens of
 * some hundred bytes, which hardly get smaller when they are compressed one by one.
 */
export const chunks = [
  { name: messagesFile, debugName: "messages", priority: 5 },
  {
    name: (id: string, graph: Graph) => isFirst(id, graph) ? "first" : null,
    debugName: "first",
    priority: 4,
  },
  {
    name: (id: string, graph: Graph) =>
      /\/web\/(graph|features\/lineage)\//.test(id) && isLineage(id, graph) &&
        !isDrawing(id, graph)
        ? "lineage"
        : null,
    debugName: "lineage",
    // What it has in common with others is no part of it.
    includeDependenciesRecursively: false,
    priority: 3,
  },
  {
    name: "icons",
    test: /lucide-react[\\/]dist[\\/]esm[\\/]icons/,
    priority: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 1_000,
  },
  {
    name: "overlay",
    test:
      /node_modules[\\/](@floating-ui|@base-ui[\\/](utils|react[\\/](floating-ui-react|internals|utils|merge-props)))[\\/]/,
    priority: 2,
    minShareCount: 4,
  },
  {
    name: "choosing",
    test: choosing,
    priority: 2,
  },
  {
    // What most screens have in common, which as a file each would take a request each; but not what loads "choosing".
    name: (id: string, graph: Graph) =>
      /[\\/]web[\\/](kit|components)[\\/]/.test(id) && !loadsChoosing(id, graph) ? "parts" : null,
    debugName: "parts",
    priority: 1,
    minShareCount: 12,
  },
];
