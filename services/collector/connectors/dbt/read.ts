import type { DbtSettings } from "#contract/connections/dbt.ts";
import { type Finding, type Item, type Session, SourceError } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { type Artifacts, artifactsOf } from "./artifacts.ts";
import { readCatalog } from "./catalog.ts";
import { derivedItem, exposureItem, type ItemContext, relationItems } from "./items.ts";
import { readIndex } from "./manifest.ts";
import { nodeCatrn, plainName } from "./names.ts";
import { kindOf, Node, nodeSections, typeOf } from "./nodes.ts";
import { type NodeResult, readResults } from "./results.ts";
import { freshnessItems, runItems, testItem } from "./tests.ts";

/**
 * Reads the artifacts of a project. The manifest is read twice, first for the names of its nodes, then node by node: it is
 * never in memory whole.
 */
export async function* readProject(session: Session<DbtSettings>): AsyncGenerator<Finding> {
  const artifacts = artifactsOf(session);
  try {
    const catalog = await readCatalog(artifacts);
    const index = await readIndex(session, artifacts, catalog);
    const results = await readResults(artifacts);
    yield* findings(session, artifacts, { index, catalog }, results);
  } finally {
    await artifacts.close();
  }
}

async function* findings(
  { settings, source, signal }: Session<DbtSettings>,
  artifacts: Artifacts,
  context: ItemContext,
  results: ReadonlyMap<string, NodeResult>,
): AsyncGenerator<Finding> {
  const published = new Set<string>();
  const again = new Map<string, unknown>();
  const sections = ["metadata", ...nodeSections];
  for await (const { section, key, value } of artifacts.entries("manifest.json", sections)) {
    signal.throwIfAborted();
    if (section === "metadata") again.set(key, value);
    else if (isIncluded(plainName(key), settings)) {
      yield* findingsOf(context, source, key, value, results, published);
    }
  }
  const { invocation } = context.index.facts;
  if (`${again.get("invocation_id")} ${again.get("generated_at")}` === invocation) return;
  throw new SourceError(
    "manifest.json",
    "dbt wrote it again meanwhile",
    "Run the connection again",
  );
}

function* findingsOf(
  context: ItemContext,
  source: string,
  id: string,
  value: unknown,
  results: ReadonlyMap<string, NodeResult>,
  published: Set<string>,
): Generator<Finding> {
  const parsed = Node.safeParse(value);
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join(".") ?? "";
    const reason = `its entry in manifest.json cannot be read: ${at}`;
    const problem = { object: plainName(id), reason, remedy: "Run dbt again" };
    yield { kind: "problem", problem, catrn: nodeCatrn(source, id) };
    return;
  }
  for (const item of itemsOf(context, id, parsed.data, results.get(id))) {
    // Two nodes may describe one table, such as a source that another package makes: the first counts.
    if (published.has(item.catrn)) continue;
    published.add(item.catrn);
    yield { kind: "item", item };
  }
}

function itemsOf(
  context: ItemContext,
  id: string,
  node: Node,
  result: NodeResult | undefined,
): Item[] {
  switch (kindOf(id, node)) {
    case "relation": {
      const items = relationItems(context, id, node);
      const runs = typeOf(id) === "source" ? [] : runItems(items[0]!, result);
      return [...items, ...runs, ...freshnessItems(context, id, node, result)];
    }
    case "ephemeral":
    case "derived":
      return [derivedItem(context, id, node)];
    case "exposure":
      return [exposureItem(context, id, node)];
    case "test": {
      const test = testItem(context, id, node);
      return [test, ...runItems(test, result)];
    }
    default:
      return [];
  }
}
