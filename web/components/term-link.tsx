import { Link, useRouter } from "@tanstack/react-router";
import { BookOpenText } from "lucide-react";
import { type MouseEvent, useCallback } from "react";
import type { Schema } from "#web/api/client.ts";
import { Markdown, type MarkdownProps } from "#web/kit/markdown.tsx";
import { linkTerms } from "#web/components/term-names.ts";
import styles from "#web/components/entity.module.css";

/** A text in Markdown whose mentions `[[namespace:term]]` lead to the glossary. */
export function TermText(props: Omit<MarkdownProps, "rewrite">) {
  const follow = useLinksWithin();
  return (
    <div onClick={follow}>
      <Markdown {...props} rewrite={linkTerms} />
    </div>
  );
}

/** Links of the catalogue itself that stand in a text change the screen, as all its other links do. */
function useLinksWithin() {
  const { history } = useRouter();
  return useCallback((event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || link.target || link.origin !== location.origin) return;
    event.preventDefault();
    history.push(link.pathname + link.search + link.hash);
  }, [history]);
}

/** A term by its names, leading to its page. */
export function TermLink(
  { of }: { of: Pick<Schema<"TermRef">, "id" | "name" | "namespace"> },
) {
  return (
    <Link
      to="/terms/$id"
      params={{ id: String(of.id) }}
      className={styles.link}
      title={`${of.namespace.name}:${of.name}`}
    >
      <BookOpenText aria-hidden className={styles.group} />
      <span className="truncate">{of.name}</span>
    </Link>
  );
}
