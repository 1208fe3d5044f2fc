import { z } from "zod";
import type { DbtSettings } from "#contract/connections/dbt.ts";
import { cutTo, segment } from "#platform/naming/text.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { type Finding, isIncluded, type Item, type Session } from "../../connector.ts";
import { type Artifacts, artifactsOf } from "./artifacts.ts";
import {
  commonOf,
  derivedItem,
  exposureItem,
  inputsOf,
  type ItemContext,
  relationItems,
} from "./items.ts";
import {
  kindOf,
  Node,
  nodeCatrn,
  nodeSections,
  plainName,
  readCatalog,
  readIndex,
  typeOf,
} from "./manifest.ts";

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

/** Most parameters of a test, and characters of one, that are shown. */
const maxParameters = 50;
const maxParameter = 1_000;

/** The item of a test of data. */
function testItem(context: ItemContext, id: string, node: Node): Item {
  return {
    catrn: context.index.names.get(id)!.own,
    ...commonOf(context, id, node),
    type: "JOB",
    data_quality_test: {
      suite_name: node.package_name || "dbt",
      dataset_list: datasetsOf(context, node),
      expectation: expectationOf(node),
    },
  };
}

/** The dataset that a test is attached to, else all that its query reads. */
function datasetsOf({ index }: ItemContext, node: Node): string[] {
  const attached = index.names.get(node.attached_node)?.data;
  return attached === undefined ? inputsOf(index, node) : [attached];
}

function expectationOf(node: Node): Record<string, string> {
  const parameters = [...node.test_metadata?.kwargs ?? []]
    .filter(([name]) => name !== "model" && name !== "type" && name !== "category")
    .slice(0, maxParameters)
    .map(([name, value]) => [
      name,
      (typeof value === "string" ? value : JSON.stringify(value) ?? "").slice(0, maxParameter),
    ]);
  return {
    ...Object.fromEntries(parameters),
    type: node.test_metadata?.name ?? "singular",
    category: "ASSERTION",
    ...(node.config.severity ? { severity: node.config.severity.toLowerCase() } : {}),
  };
}

/** The test of a source's freshness, where the last run of dbt measured it. */
function freshnessItems(
  { index }: ItemContext,
  id: string,
  node: Node,
  result: NodeResult | undefined,
): Item[] {
  if (!result || typeOf(id) !== "source") return [];
  const { own, data } = index.names.get(id)!;
  const test: Item = {
    catrn: cutTo(`${own}/freshness`),
    name: `Freshness of ${node.source_name}.${node.name}`,
    type: "JOB",
    data_quality_test: {
      suite_name: node.package_name || "dbt",
      dataset_list: [data],
      expectation: { type: "freshness", category: "FRESHNESS_ANOMALY" },
    },
  };
  return [test, ...runItems(test, result)];
}

/** The item of the last run of a test or a model. */
function runItems(of: Item, result: NodeResult | undefined): Item[] {
  if (!result) return [];
  const { invocation, ...run } = result;
  const common = {
    catrn: cutTo(`${of.catrn}/runs/${segment(invocation)}`),
    name: of.name,
    type: "JOB_RUN" as const,
  };
  return of.data_quality_test
    ? [{ ...common, data_quality_test_run: { data_quality_test_catrn: of.catrn, ...run } }]
    : [{ ...common, data_transformer_run: { transformer_catrn: of.catrn, ...run } }];
}

type Run = Pick<
  NonNullable<Item["data_transformer_run"]>,
  "status" | "start_time" | "end_time" | "status_reason"
>;
type Status = Run["status"];

/** The last result of a node, by `run_results.json` or `sources.json`. */
interface NodeResult extends Run {
  /** Names the run of dbt. */
  invocation: string;
}

const statuses = new Map<string, Status>([
  ["success", "SUCCESS"],
  ["pass", "SUCCESS"],
  ["fail", "FAILED"],
  ["error", "BROKEN"],
  ["runtime error", "BROKEN"],
  ["skipped", "SKIPPED"],
  // As with OpenLineage: a warning is not a failure that opens an alert.
  ["warn", "UNKNOWN"],
  ["partial success", "UNKNOWN"],
]);

/** Longest reason, in characters. */
const maxReason = 2_000;

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString());
const Result = z.object({
  unique_id: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  timing: z.array(z.object({ started_at: time.nullish(), completed_at: time.nullish() })).catch([]),
  max_loaded_at: z.string().nullish(),
});

/** Results of the last run by the id of the node; empty without `run_results.json` and `sources.json`. */
async function readResults(artifacts: Artifacts): Promise<Map<string, NodeResult>> {
  const results = new Map<string, NodeResult>();
  for (const name of ["run_results.json", "sources.json"] as const) {
    const run = { invocation: "", at: "" };
    for await (const { section, key, value } of artifacts.entries(name, ["metadata", "results"])) {
      if (section === "results") addResult(results, run, value);
      else if (key === "invocation_id") run.invocation = String(value ?? "");
      else if (key === "generated_at") run.at = time.safeParse(value).data ?? "";
    }
  }
  return results;
}

function addResult(
  results: Map<string, NodeResult>,
  { invocation, at }: { invocation: string; at: string },
  given: unknown,
): void {
  const parsed = Result.safeParse(given);
  if (!parsed.success) return;
  const { unique_id, status, message, timing, max_loaded_at } = parsed.data;
  const start = timing.flatMap(({ started_at }) => started_at ?? []).sort()[0] ?? at;
  const end = timing.flatMap(({ completed_at }) => completed_at ?? []).sort().at(-1) ?? start;
  if (start === "") return;
  const reason = message ?? (max_loaded_at ? `last loaded at ${max_loaded_at}` : "");
  results.set(unique_id, {
    invocation: invocation || start,
    status: statuses.get(status.toLowerCase()) ?? "UNKNOWN",
    start_time: start,
    end_time: end,
    ...(reason ? { status_reason: reason.slice(0, maxReason) } : {}),
  });
}
