import { TransNoContext } from "@lingui/react/server";
import { Fragment, type ReactElement, type ReactNode } from "react";
import type { Messages } from "#web/messages/messages.gen.ts";
import { catalogue, type MessageKey } from "#web/messages/text.ts";

interface Props<K extends MessageKey> {
  of: K;
  /** For each argument of the message, text or elements. */
  values?: { [A in keyof Messages[K]]: Messages[K][A] | ReactNode };
  /** Elements for tags: `<link>here</link>` becomes what `tags.link` is, with the text within. */
  tags?: Record<string, ReactElement>;
}

/** A message with elements in it. Text among the values is shown as it is, whatever it contains. */
export function Rich<K extends MessageKey>({ of, values, tags }: Props<K>): ReactNode {
  const shown = Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [
      name,
      typeof value === "number" ? value : <Fragment key={name}>{value as ReactNode}</Fragment>,
    ]),
  );
  return (
    <TransNoContext
      id={of}
      values={shown}
      {...tags && { components: tags }}
      lingui={{ i18n: catalogue }}
    />
  );
}
