import { readdirSync, readFileSync } from "node:fs";

const folder = "docs/decisions";

interface Decision {
  file: string;
  number: string;
  title: string;
  status: string;
  summary: string;
}

/** `docs/decisions/README.md`: every decision with its number, title, status and first sentence. */
export function decisionsMarkdown(): string {
  const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name)).sort();
  const rows = files.map(decisionOf).map(({ file, number, title, status, summary }) =>
    `| [${number}](${file}) | ${title} | ${status} | ${summary} |`
  );
  return [
    "# Decisions",
    "",
    "Why things are as they are, for those who want to change them. A new decision has *Context*, *Decision* and *Consequences* in",
    "at most 25 lines. `npm run fix` writes this index.",
    "",
    "| Number | Decision | Status | In short |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** Reads a decision. Throws where it has no title. */
function decisionOf(file: string): Decision {
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const title = /^# (?:\d{4}: )?(.+)$/m.exec(text)?.[1];
  if (!title) throw new Error(`${folder}/${file} has no title`);
  return {
    file,
    number: file.slice(0, 4),
    title: cell(title),
    status: statusOf(text),
    summary: cell(firstSentence(text)),
  };
}

/** As the decision says, `accepted` by default; one that another replaces names it. */
function statusOf(text: string): string {
  const replaced = /^\((?:\*\*)?Replaced( in part)? by \[(\d{4})\]\(([^)]+)\)/m.exec(text);
  if (replaced) {
    const [, partly, number, file] = replaced;
    return `replaced${partly ?? ""} by [${number}](${file})`;
  }
  return /^(?:\*\*)?Status:(?:\*\*)? *(\w+)/m.exec(text)?.[1]?.toLowerCase() ?? "accepted";
}

/** Longest summary in characters. */
const maxSummary = 160;

/** The first sentence of the first paragraph, without headings, status and links. */
function firstSentence(text: string): string {
  const body = text.replace(/\*\*(?:Context|Decision)\.\*\*/g, "").split("\n").slice(1)
    .filter((line) => !/^(#|\(|\||```|[-*] |(\*\*)?Status:)/.test(line));
  const [paragraph = ""] = body.join("\n").trim().split(/\n\s*\n/);
  const plain = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
  const [sentence = plain] = plain.split(/(?<=[.:]) (?=[A-Z*`])/, 1);
  if (sentence.length <= maxSummary) return sentence.replace(/:$/, ".");
  return `${sentence.slice(0, sentence.lastIndexOf(" ", maxSummary))}…`;
}

const cell = (text: string) => text.replaceAll("|", "\\|");
