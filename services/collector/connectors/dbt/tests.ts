import type { Item } from "../../connector.ts";
import { cutTo, segment } from "#platform/naming/text.ts";
import { commonOf, inputsOf, type ItemContext } from "./items.ts";
import { typeOf } from "./nodes.ts";
import type { Node } from "./nodes.ts";
import type { NodeResult } from "./results.ts";

/** Most parameters of a test, and characters of one, that are shown. */
const maxParameters = 50;
const maxParameter = 1_000;

/** The item of a test of data. */
export function testItem(context: ItemContext, id: string, node: Node): Item {
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
export function freshnessItems(
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
export function runItems(of: Item, result: NodeResult | undefined): Item[] {
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
