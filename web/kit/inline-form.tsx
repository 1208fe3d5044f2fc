import type { KeyboardEvent, ReactNode } from "react";
import { Button } from "#web/kit/button.tsx";
import { Note } from "#web/kit/states.tsx";
import styles from "#web/kit/inline-form.module.css";

/** Editing in place: Ctrl-Enter (or Enter in a field of one line) saves, Escape cancels. */
export function InlineForm(
  { onSave, onCancel, busy, messages = [], save = "Save", children }: {
    onSave: () => void;
    onCancel: () => void;
    busy?: boolean;
    /** What the service said that belongs to no field. */
    messages?: string[];
    save?: string;
    children: ReactNode;
  },
) {
  const keys = (event: KeyboardEvent) => {
    // A list that is open takes these keys itself.
    const open = (event.target as Element).getAttribute("aria-expanded") === "true";
    if (event.defaultPrevented || open) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !busy) {
      event.preventDefault();
      onSave();
    }
  };
  return (
    <form
      className={styles.form}
      onKeyDown={keys}
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
        <Button small onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
