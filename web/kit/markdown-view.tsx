import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useMemo } from "react";
import { isForeignLink } from "#web/kit/markdown-text.ts";
import styles from "#web/kit/markdown.module.css";

/** Longest text that is rendered; more is shown as it was written. */
const longest = 200_000;
const allowed = {
  ALLOWED_TAGS:
    // deno-lint-ignore house/interface-text -- names of elements
    "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul"
      .split(" "),
  ALLOWED_ATTR: ["href", "title", "align", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[/#?.])/i,
  RETURN_TRUSTED_TYPE: true,
} as const;

// Links of others open next to the catalogue, and learn nothing of it.
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  const href = node.getAttribute("href");
  if (node.tagName !== "A" || href === null || !isForeignLink(href, location.href)) return;
  node.setAttribute("target", "_blank");
  // deno-lint-ignore house/interface-text -- relations of a link
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

/** The rendered text; a module of its own, because nothing else needs its libraries. */
export default function MarkdownView({ text }: { text: string }) {
  const html = useMemo(() => text.length > longest ? undefined : render(text), [text]);
  if (!html) return <pre className="foreign">{text}</pre>;
  return (
    <div
      className={`${styles.markdown} foreign`}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** A tag that may stand in Markdown: one of those above, without attributes. */
const plainTag = new RegExp(`^</?(?:${allowed.ALLOWED_TAGS.join("|")})\\s*/?>$`, "i");
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign]!);

// Other markup is text: a browser reports handlers of events even where they are only looked at to be removed.
const marked = new Marked({
  renderer: {
    // A box that cannot be ticked tells assistive technology nothing; the sign is read as what it is.
    listitem({ tokens, task }) {
      return `<li${task ? ' data-task=""' : ""}>${this.parser.parse(tokens)}</li>`;
    },
    checkbox: ({ checked }) => checked ? "☑ " : "☐ ",
    html: ({ text }) => text.replace(/<[^>]*>?/g, (tag) => plainTag.test(tag) ? tag : escaped(tag)),
  },
});

function render(text: string): string {
  const html = marked.parse(text, { async: false, gfm: true, breaks: true });
  return DOMPurify.sanitize(html, allowed as unknown as object) as unknown as string;
}
