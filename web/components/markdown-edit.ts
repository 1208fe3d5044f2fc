import { t } from "#web/messages/text.ts";

/** What the toolbar does to the selected text. */
export type Mark = "bold" | "italic" | "code" | "list" | "link";

interface EditedText {
  text: string;
  /** Where the caret stands afterwards. */
  at: number;
}

const around: Partial<Record<Mark, string>> = { bold: "**", italic: "_", code: "`" };

/** Marks the characters from `start` to `end`. */
export function applyMark(text: string, start: number, end: number, mark: Mark): EditedText {
  const [before, chosen, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const sign = around[mark];
  const put = sign !== undefined
    ? sign + chosen + sign
    : mark === "link"
    ? `[${chosen || t("components.linkText")}](https://)`
    : chosen.split("\n").map((line) => `- ${line}`).join("\n");
  const caret = sign !== undefined && chosen === ""
    ? sign.length
    : put.length - (mark === "link" ? 1 : 0);
  return { text: before + put + after, at: start + caret };
}

/** A mention of a term that is being typed at `caret`: `[[namespace:ter`. */
export interface OpenMention {
  /** What stands after the brackets. */
  text: string;
  from: number;
  to: number;
}

export function mentionAt(text: string, caret: number): OpenMention | undefined {
  const from = text.lastIndexOf("[[", caret - 1);
  if (from < 0 || caret - from > 200) return undefined;
  const typed = text.slice(from + 2, caret);
  return /[[\]\n]/.test(typed) ? undefined : { text: typed, from, to: caret };
}

/** Completes it with the name of a term. */
export function withMention(text: string, { from, to }: OpenMention, name: string): EditedText {
  const rest = text.slice(to).replace(/^\]{0,2}/, "");
  return { text: `${text.slice(0, from)}[[${name}]]${rest}`, at: from + name.length + 4 };
}
