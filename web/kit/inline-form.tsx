import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { Note } from "#web/kit/states.tsx";
import { useUnsaved } from "#web/kit/unsaved.tsx";
import styles from "#web/kit/inline-form.module.css";
import { t } from "#web/messages/text.ts";

/** Editing in place: Ctrl-Enter (or Enter in a field of one line) saves, Escape cancels. Text that is not saved is not lost unasked. */
export function InlineForm(
  { onSave, onCancel, busy, messages = [], save = t("kit.save"), children }: {
    onSave: () => void;
    onCancel: () => void;
    busy?: boolean;
    /** What the service said that belongs to no field. */
    messages?: string[];
    save?: string;
    children: ReactNode;
  },
) {
  const [touched, setTouched] = useState(false);
  const { leave, question } = useUnsaved(touched && !busy);
  const keys = (event: KeyboardEvent) => {
    // What is above the form, as the question whether to discard it, has keys of its own.
    if (!event.currentTarget.contains(event.target as Element)) return;
    // A list that is open takes these keys itself.
    const open = (event.target as Element).getAttribute("aria-expanded") === "true";
    if (event.defaultPrevented || open) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      leave(onCancel);
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !busy) {
      event.preventDefault();
      onSave();
    }
  };
  return (
    <form
      className={styles.form}
      onKeyDown={keys}
      onInput={() => setTouched(true)}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!busy) onSave();
      }}
    >
      {children}
      {messages.length > 0 && <Note tone="bad">{messages.join("; ")}</Note>}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" small busy={busy}>{save}</Button>
        <Button small onClick={onCancel}>{t("kit.cancel")}</Button>
      </div>
      {question}
    </form>
  );
}
