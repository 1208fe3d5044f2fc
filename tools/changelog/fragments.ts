/** Kinds of changes, in the order in which a release lists them (keepachangelog.com). */
export const kinds = ["added", "changed", "deprecated", "removed", "fixed", "security"] as const;
export type Kind = (typeof kinds)[number];

/** Longest fragment, characters; longer texts belong in a document that the fragment links. */
export const maxFragment = 2_000;

/** One user-visible change for the next release. */
export interface Fragment {
  kind: Kind;
  /** Markdown without headings, trimmed. */
  text: string;
}

const nameForm = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.([a-z]+)\.md$/;

/** Parses a file of `changes/`; returns the fragment, or what is wrong with it. */
export function fragmentOf(name: string, content: string): Fragment | string {
  const [, , kind = ""] = nameForm.exec(name) ?? [];
  const known = kinds.find((each) => each === kind);
  if (!known) return `must be called <what-changed>.<kind>.md, kind one of ${kinds.join(", ")}`;
  const text = content.replaceAll("\r\n", "\n").trim();
  if (text === "") return "is empty: say in a sentence or two what users notice";
  if (text.length > maxFragment) return `is longer than ${maxFragment} characters`;
  if (/^(#|=+$|-+$)/m.test(text)) return "has a heading: the kind in its name gives it one";
  if (!/[.!?)`]$/.test(text)) return "must end with a whole sentence";
  return { kind: known, text };
}

/** The marker in `CHANGELOG.md`; releases follow it, newest first. */
export const mark = "<!-- releases -->";

/** The section of a release; `day` is ISO 8601. */
export function sectionOf(version: string, day: string, fragments: Fragment[]): string {
  const parts = kinds.flatMap((kind) => {
    const texts = fragments.filter((fragment) => fragment.kind === kind).map(({ text }) => text);
    if (texts.length === 0) return [];
    const title = kind[0]!.toUpperCase() + kind.slice(1);
    return [`### ${title}\n\n${texts.map(item).join("\n")}\n`];
  });
  return `## ${version} (${day})\n\n${parts.join("\n")}`;
}

/** Inserts a section before all others. Throws without `mark`, or when the version exists already. */
export function withSection(changelog: string, version: string, section: string): string {
  const at = changelog.indexOf(mark);
  if (at < 0) throw new Error(`CHANGELOG.md has no line ${mark}`);
  if (changelog.split("\n").some((line) => line.startsWith(`## ${version} (`))) {
    throw new Error(`CHANGELOG.md has ${version} already: raise the version in package.json first`);
  }
  const end = at + mark.length;
  const rest = changelog.slice(end).trim();
  return `${changelog.slice(0, end)}\n\n${section}${rest === "" ? "" : `\n${rest}\n`}`;
}

/** A fragment as a list item; its further lines are indented. */
function item(text: string): string {
  return `- ${text.replaceAll("\n", "\n  ").replace(/^ +$/gm, "")}`;
}
