import { type ReactNode, useMemo } from "react";
import { lazyComponent } from "#web/kit/lazy-component.tsx";

/** As it was written until it can be rendered. */
const View = lazyComponent(
  () => import("#web/kit/markdown-view.tsx").then((all) => all.default),
  ({ text }) => <pre className="foreign">{text}</pre>,
);

export interface MarkdownProps {
  text: string | null | undefined;
  /** Shown where there is no text. */
  none?: ReactNode;
  /** Changes the source beforehand, such as what a catalogue makes links of. A function that stays the same. */
  rewrite?: (text: string) => string;
}

/** What people wrote as Markdown: no scripts, no images, no styles. As it was written until it can be rendered. */
export function Markdown({ text, none, rewrite }: MarkdownProps) {
  const source = useMemo(() => text && (rewrite ? rewrite(text) : text), [text, rewrite]);
  if (!text || !source) return <span className="soft">{none}</span>;
  return <View text={source} />;
}
