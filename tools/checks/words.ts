import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Check, repositoryFiles, root } from "./check.ts";
import { eachNode, lineOf, shippedFiles } from "./program.ts";

/**
 * Names in code, comments and texts use the words of the field: say it as Prometheus, Kafka, GitHub or the PostgreSQL
 * manual would say it. Here are the words that are refused, and what to use instead.
 */
export const words: Check = {
  name: "words",
  cannotDetect: "odd sentences of allowed words, and phrases in tests",
  async run() {
    const files = (await repositoryFiles(/\.(tsx?|mjs)$/)).filter((file) => !generated.test(file));
    const shipped = new Set(await shippedFiles());
    const documents = await repositoryFiles(/^(\w+\.md|(docs|changes)\/.*\.md)$/);
    const problems = files.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const isRead = shipped.has(file) || (file.startsWith("web/") && !/\.test\.tsx?$/.test(file));
      return [...namesIn(file, text), ...(isRead ? phrasesIn(file, text) : [])];
    });
    const inDocuments = documents.flatMap((file) =>
      phrasesIn(file, readFileSync(join(root, file), "utf8"))
    );
    return {
      summary: `${files.length} files, ${documents.length} documents`,
      problems: [...problems, ...inDocuments],
    };
  },
};

const generated = /\/generated\/|\.gen\.ts$|\.d\.ts$/;

/** Words that no name contains, and the words to use. */
const instead = new Map([
  ["told", "event, message, reported"],
  ["asked", "request, params, query"],
  ["held", "stored, existing, locked"],
  ["kept", "retained, stored, skippedLowerPrecedence"],
  ["trouble", "lastError, pauseReason"],
  ["troubled", "hasOpenAlert"],
  ["leaver", "removal, tombstone"],
  ["leavers", "removals, tombstones"],
  ["composer", "mapper, publisher, messageBuilder"],
  ["glance", "cached probe"],
  ["keeper", "listener watchdog"],
  ["apart", "bisectBatch, separate"],
  ["complaint", "intakeWarning, rejection"],
  ["complaints", "intakeWarnings, rejections"],
  ["sought", "candidateName"],
  ["loosely", "resolve"],
  ["pace", "backpressure"],
  ["inflow", "throttle"],
  ["verdict", "outcome"],
  ["judge", "evaluate"],
  ["judged", "evaluated"],
  ["kin", "siblingSources"],
  ["fenced", "staleEpoch"],
  ["patience", "maxWaitMs"],
  ["farewell", "drainMs"],
  ["misfit", "typeMismatch"],
  ["misfits", "typeMismatches"],
  ["anew", "again"],
  ["mend", "fix"],
]);

/** Types are nouns: these are participles. */
const participles = new Set(
  ("Told Asked Held Kept Found Given Made Seen Shown Sent Taken Known Drawn Lost Sought Chosen Gone Moved " +
    "Named Posted Linked Judged Refused Accepted Answered Merged Placed Declared Wanted Waiting Claimed Ended " +
    "Listed Read Written Opened Raised Changed Prepared Published Reached Returned Received").split(
      " ",
    ),
);

/** Phrases of the dialect in comments, texts and documents, and what to write. */
const phrases: [RegExp, string][] = [
  [
    /\b(is|are|was|were|be|has|have|had|not|nobody|nothing|each|unless) told\b/i,
    "is sent, reported",
  ],
  [/\btold (of|apart|by|as|to|from)\b/i, "reported, distinguished, returned"],
  [/\btells? (of|how|whether|which|what|when|where|who|why|apart)\b/i, "reports, shows, returns"],
  [/\bbeside (a|an|the|it|its|each|them|this|that|what|which|other|others|another)\b/i, "next to"],
  [/(?<!\bthere )\b(is|are|was|were) none\b/i, "is invalid, does not exist, is not one"],
  [/\b(names?|words?|files?|ways?|reader|ones?) of ours\b/i, "our own, fixed"],
  [/\bletter by letter\b/i, "exactly, literally"],
  [/\bin vain\b/i, "that are rejected, without effect"],
  [/\bbe it\b/i, "whether, even if"],
  [/\bmend(s|ed|ing)?\b/i, "fix, correct"],
  [/\bwhoever\b/i, "the caller, a client, a user who"],
  [/\banew\b/i, "again"],
  [/\bfor ever\b/i, "forever"],
  [/\bgives? way\b/i, "has low precedence"],
  [/\bgiven up\b/i, "failed, aborted, exhausted its retries"],
  [/\bcomes? again\b/i, "retry, is repeated"],
  [/\btaken? apart\b/i, "parsed, split"],
  [/\bis none (that|of) \w+ (takes?|accepts?)\b/i, "X rejects it as invalid"],
  [/\bwords of ours\b/i, "a fixed text"],
];

/** Names that others fixed: columns, labels and members of the published interface. At most ten. */
const fixed = new Set([
  // Column of `stale_source`.
  "platform/stale/evaluate.ts held",
  // Label of `tributary_ingest_entities_total`.
  "services/ingest-consumer/stages/apply.ts kept",
  // Enum code of the published interface.
  "web/features/alerts/delivery.tsx HELD",
]);

/** Names that a file declares and that contain a refused word; those of SQL and JSON, in snake case, are left alone. */
export function namesIn(file: string, text: string): string[] {
  const kind = /x$/.test(file) ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
  const problems: string[] = [];
  eachNode(source, (node) => {
    const name = declaredName(node);
    if (!name || /_/.test(name.text.slice(1)) || fixed.has(`${file} ${name.text}`)) return;
    const place = `${file}:${lineOf(name)}: ${name.text}`;
    if (isType(node) && participles.has(name.text)) {
      problems.push(`${place}: types are nouns, such as ${name.text}Message`);
    }
    for (const word of wordsOf(name.text)) {
      const better = instead.get(word);
      if (better) problems.push(`${place}: instead of "${word}" use ${better}`);
    }
  });
  return problems;
}

/** Lines of a file that contain a refused phrase. */
export function phrasesIn(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, at) =>
    phrases.flatMap(([phrase, better]) => {
      const found = phrase.exec(line);
      return found ? [`${file}:${at + 1}: instead of "${found[0]}" write: ${better}`] : [];
    })
  );
}

function declaredName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  const isUse = ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node) ||
    ts.isExportSpecifier(node) || ts.isJsxAttribute(node) || ts.isMetaProperty(node);
  const { name } = node as ts.NamedDeclaration;
  const isName = !isUse && name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
  return isName ? name : undefined;
}

function isType(node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node);
}

function wordsOf(name: string): string[] {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/);
}
