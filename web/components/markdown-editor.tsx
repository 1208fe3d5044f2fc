import { Bold, Code, Italic, Link2, List } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Field, type FieldProps } from "#web/kit/field.tsx";
import { useRoving } from "#web/kit/roving.ts";
import { applyMark, type Mark, mentionAt, withMention } from "#web/components/markdown-edit.ts";
import { useTermChoice } from "#web/components/term-choice.tsx";
import { TermText } from "#web/components/term-link.tsx";
import styles from "#web/components/markdown-editor.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

const marks: [mark: Mark, label: PlainKey, icon: typeof Bold][] = [
  ["bold", "components.bold", Bold],
  ["italic", "components.italic", Italic],
  ["code", "components.code", Code],
  ["list", "components.list", List],
  ["link", "components.link", Link2],
];

/** Text in Markdown with a toolbar, a preview, and the completion of terms after `[[`. */
export function MarkdownEditor(
  { value, onValue, onSave, autoFocus, ...labelled }: FieldProps & {
    value: string;
    onValue: (value: string) => void;
    /** Ctrl-Enter. */
    onSave?: () => void;
    autoFocus?: boolean;
  },
) {
  const [preview, setPreview] = useState(false);
  const [caret, setCaret] = useState(0);
  const area = useRef<HTMLTextAreaElement>(null);
  const change = ({ text, at }: { text: string; at: number }) => {
    // Rendered before the next key arrives: a caret placed later would move what is typed meanwhile.
    flushSync(() => {
      onValue(text);
      setCaret(at);
    });
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  const mention = mentionAt(value, caret);
  const terms = useTermChoice(mention, (name) => change(withMention(value, mention!, name)));
  const mark = (kind: Mark) => {
    const { selectionStart, selectionEnd } = area.current!;
    change(applyMark(value, selectionStart, selectionEnd, kind));
  };
  return (
    <Field {...labelled} hint={labelled.hint ?? t("components.markdownHint")}>
      {(control) => (
        <div className={styles.editor}>
          <Bar preview={preview} onPreview={() => setPreview(!preview)} onMark={mark} />
          {preview
            ? (
              <div className={styles.preview}>
                <TermText text={value} none={t("components.nothingToShow")} />
              </div>
            )
            : (
              <Area
                {...control}
                ref={area}
                value={value}
                autoFocus={autoFocus}
                onValue={onValue}
                onCaret={setCaret}
                onSave={onSave}
                {...terms.field}
              />
            )}
          {!preview && terms.list}
        </div>
      )}
    </Field>
  );
}

/** The text itself. */
function Area(
  { onValue, onCaret, onSave, onKeyDown, ...rest }: ComponentProps<"textarea"> & {
    onValue: (value: string) => void;
    onCaret: (caret: number) => void;
    onSave?: () => void;
  },
) {
  return (
    <textarea
      {...rest}
      rows={8}
      onChange={({ target }) => {
        onValue(target.value);
        onCaret(target.selectionStart);
      }}
      onSelect={({ currentTarget }) => onCaret(currentTarget.selectionStart)}
      onKeyDown={(event) => isSave(event) ? onSave?.() : onKeyDown?.(event)}
    />
  );
}

function isSave({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === "Enter" && (ctrlKey || metaKey);
}

function Bar(
  { preview, onPreview, onMark }: {
    preview: boolean;
    onPreview: () => void;
    onMark: (mark: Mark) => void;
  },
) {
  return (
    <div className={styles.bar} role="toolbar" aria-label={t("components.format")} {...useRoving()}>
      {marks.map(([kind, label, Icon]) => (
        <IconButton
          key={kind}
          small
          label={t(label)}
          disabled={preview}
          onClick={() => onMark(kind)}
        >
          <Icon />
        </IconButton>
      ))}
      <span className={styles.room} />
      <Button small variant="quiet" aria-pressed={preview} onClick={onPreview}>
        {t("components.preview")}
      </Button>
    </div>
  );
}
