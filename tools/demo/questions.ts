import { dashboard } from "#platform/demonstration/catalogue/consumers.ts";
import { shopTable } from "#platform/demonstration/catalogue/shop.ts";
import type { DemoClient } from "./client.ts";
import { drawTree } from "./draw.ts";

export interface Question {
  text: string;
  root: string;
  direction: "upstream" | "downstream";
  depth: number;
  /** Opens every group, so that tables are drawn instead of their databases. */
  open: boolean;
}

/** Questions about the catalogue that involve no service. */
export const questions: Question[] = [
  {
    text: "What breaks if the table payments changes?",
    root: shopTable("payments"),
    direction: "downstream",
    depth: 12,
    open: true,
  },
  {
    text: "What feeds the dashboard Board pack?",
    root: dashboard("Board pack"),
    direction: "upstream",
    depth: 4,
    open: true,
  },
  {
    text: "Which systems does the table orders reach, system by system?",
    root: shopTable("orders"),
    direction: "downstream",
    depth: 20,
    open: false,
  },
];

/** Questions to ask once traces have connected services with tables and topics. */
export const questionsOfServices: Question[] = [
  {
    text: "Which services and dashboards does the table addresses reach?",
    root: shopTable("addresses"),
    direction: "downstream",
    depth: 12,
    open: true,
  },
];

/** Asks questions and draws their answers as text. */
export async function askQuestions(
  client: DemoClient,
  questions: Question[],
  print: (line: string) => void,
) {
  for (const { text, root: catrn, direction, depth, open } of questions) {
    const root = await client.find(catrn);
    const ask = async (expanded: number[]) =>
      (await client.lineage(root.id, direction, depth, expanded))[direction];
    const collapsed = await ask([]);
    const stream = open ? await ask(collapsed.groups.map((group) => group.id)) : collapsed;
    print("");
    print(text);
    print(`  ${stream.nodes.length} nodes, ${stream.edges.length} edges (${direction})`);
    const drawn = drawTree(stream, { root: root.id, direction, maxLines: 40 });
    for (const line of drawn) print(`  ${line}`);
  }
}
