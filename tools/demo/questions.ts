import { dashboard } from "./catalogue/consumers.ts";
import { shopTable } from "./catalogue/shop.ts";
import { catalogue } from "./catalogue/mod.ts";
import type { DemoClient } from "./client.ts";
import { drawTree } from "./draw.ts";

interface Question {
  text: string;
  root: string;
  direction: "upstream" | "downstream";
  depth: number;
  /** Open every group, so that tables are drawn and not their databases. */
  open: boolean;
}

const questions: Question[] = [
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

/** Asks the three questions and draws their answers as text. */
export async function askQuestions(client: DemoClient, print: (line: string) => void) {
  const groups = catalogue(0).flatMap((s) => s.items).filter((i) => "data_entity_group" in i);
  const ids = await Promise.all(groups.map((g) => client.find(String(g.catrn)).catch(() => null)));
  const expanded = ids.flatMap((found) => (found ? [found.id] : []));
  for (const question of questions) {
    const root = await client.find(question.root);
    const answer = await client.lineage(
      root.id,
      question.direction,
      question.depth,
      question.open ? expanded : [],
    );
    const stream = answer[question.direction];
    print("");
    print(question.text);
    print(`  ${stream.nodes.length} nodes, ${stream.edges.length} edges (${question.direction})`);
    const drawn = drawTree(stream, { root: root.id, direction: question.direction, maxLines: 40 });
    for (const line of drawn) print(`  ${line}`);
  }
}
