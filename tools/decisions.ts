import { readdirSync, readFileSync } from "node:fs";

const folder = "docs/decisions";

interface Decision {
  file: string;
  number: string;
  title: string;
  status: string;
  summary: string;
}

/** Longest decision in lines. */
const maxLines = 25;

/** `docs/decisions/README.md`: every decision with its number, title, status and decision. Throws for a wrong form. */
export function decisionsMarkdown(): string {
  const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name)).sort();
  const rows = files.map((file) => decisionOf(file, readFileSync(`${folder}/${file}`, "utf8")))
    .map(({ file, number, title, status, summary }) =>
      `| [${number}](${file}) | ${title} | ${status} | ${summary} |`
    );
  return [
    "# Decisions",
    "",
    "For contributors: why things are as they are. A decision has *Context*, *Decision* and *Consequences* in at most",
    `${maxLines} lines, in the present tense. \`npm run fix\` writes this index.`,
    "",
    "| Number | Decision | Status | In short |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** `Status: accepted`, also in bold, or `Status: superseded by [0110](0110-fair-queues.md)`. */
const statusLine = /^(?:\*\*)?Status:(?:\*\*)? (accepted|superseded by \[\d{4}\]\([\w.-]+\))$/m;

/** Reads a decision, whose parts begin with `**Context.**` or `## Context`. Throws if a part is missing or it is too long. */
export function decisionOf(file: string, text: string): Decision {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  const [, status] = statusLine.exec(text) ?? [];
  if (!title || !status) throw new Error(`${folder}/${file} has no title or no status`);
  const parts = status === "accepted" ? ["Context", "Decision", "Consequences"] : [];
  const missing = parts.filter((part) =>
    !text.includes(`\n**${part}.**`) && !text.includes(`\n## ${part}\n`)
  );
  if (missing.length > 0) throw new Error(`${folder}/${file} has no ${missing.join(", no ")}`);
  if (text.trimEnd().split("\n").length > maxLines) {
    throw new Error(`${folder}/${file} has more than ${maxLines} lines`);
  }
  return {
    file,
    number: file.slice(0, 4),
    title: cell(title),
    status,
    summary: status === "accepted" ? cell(firstSentence(text)) : "",
  };
}

/** Longest summary in characters. */
const maxSummary = 160;

/** The first sentence of the decision, without links. */
function firstSentence(text: string): string {
  const [, paragraph = ""] =
    /(?:\*\*Decision\.\*\*|## Decision)\n?\s([^]*?)(?:\n\n|$)/.exec(text) ??
      [];
  const plain = paragraph.replaceAll("**", "").replaceAll(/^- |\s*\n\s*/g, " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
  const [sentence = plain] = plain.split(/(?<=[.:]) (?=[A-Z*`])/, 1);
  if (sentence.length <= maxSummary) return sentence.replace(/:$/, ".");
  return `${sentence.slice(0, sentence.lastIndexOf(" ", maxSummary))}…`;
}

const cell = (text: string) => text.replaceAll("|", "\\|");
