import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { read } from "#web/api/client.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import type { OpenMention } from "#web/components/markdown-edit.ts";
import styles from "#web/components/markdown-editor.module.css";
import { t } from "#web/messages/text.ts";

/**
 * The terms that complete a mention which is being typed: the arrows walk among them, Enter or Tab takes one, Escape leaves the
 * text as it is. `field` belongs on the text area, `list` below it.
 */
export function useTermChoice(mention: OpenMention | undefined, onPick: (name: string) => void) {
  const id = useId();
  const names = useTermNames(mention?.text);
  const [at, setAt] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const open = mention !== undefined && mention.from !== closedAt && names.length > 0;
  const chosen = Math.min(at, names.length - 1);
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((chosen + 1) % names.length),
    ArrowUp: () => setAt((chosen + names.length - 1) % names.length),
    Enter: () => onPick(names[chosen]!),
    Tab: () => onPick(names[chosen]!),
    Escape: () => setClosedAt(mention?.from),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = open && !event.shiftKey && !event.nativeEvent.isComposing && keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const field = open
    ? { onKeyDown, "aria-controls": id, "aria-activedescendant": `${id}-${chosen}` }
    : { onKeyDown };
  const list: ReactNode = open && (
    <ul id={id} className={styles.terms} role="listbox" aria-label={t("kit.terms")}>
      {names.map((name, index) => (
        <li
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={styles.term}
          // The text keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() =>
            onPick(name)}
        >
          {name}
        </li>
      ))}
    </ul>
  );
  return { field, list };
}

/** Terms whose name goes with what stands after `[[`, as `namespace:term`. */
function useTermNames(text: string | undefined): string[] {
  const query = useDebounced((text ?? "").split(":").at(-1)!.trim());
  const { data } = useQuery({
    ...read("/api/terms", { params: { query: { page: 1, size: 6, query } } }),
    enabled: text !== undefined,
  });
  if (text === undefined) return [];
  return (data?.items ?? []).map(({ name, namespace }) => `${namespace.name}:${name}`);
}
