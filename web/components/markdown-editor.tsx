import { useQuery } from "@tanstack/react-query";
import { Bold, Code, Italic, Link2, List } from "lucide-react";
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { read } from "#web/api/client.ts";
import styles from "#web/components/markdown-editor.module.css";
import { TermText } from "#web/components/term-link.tsx";
import { useRoving } from "#web/kit/arrow-keys.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Field, type FieldProps, useDebounced } from "#web/kit/field.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

/** What the toolbar does to the selected text. */
type Mark = "bold" | "italic" | "code" | "list" | "link";

/** What a change of the text leaves. */
interface EditedText {
  text: string;
  /** Where the caret stands afterwards. */
  at: number;
}

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
  const change = ({ text, at }: EditedText) => {
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

const toolbar: [mark: Mark, label: PlainKey, icon: typeof Bold][] = [
  ["bold", "components.bold", Bold],
  ["italic", "components.italic", Italic],
  ["code", "components.code", Code],
  ["list", "components.list", List],
  ["link", "components.link", Link2],
];

function Bar(
  { preview, onPreview, onMark }: {
    preview: boolean;
    onPreview: () => void;
    onMark: (mark: Mark) => void;
  },
) {
  return (
    <div className={styles.bar} role="toolbar" aria-label={t("components.format")} {...useRoving()}>
      {toolbar.map(([kind, label, Icon]) => (
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

/**
 * The terms that complete a mention which is being typed: the arrows walk among them, Enter or Tab takes one, Escape leaves the
 * text as it is. `field` belongs on the text area, `list` below it.
 */
function useTermChoice(mention: OpenMention | undefined, onPick: (name: string) => void) {
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
    ...read("/api/terms", { query: { page: 1, size: 6, query } }),
    enabled: text !== undefined,
  });
  if (text === undefined) return [];
  return (data?.items ?? []).map(({ name, namespace }) => `${namespace.name}:${name}`);
}

/** Signs before and after what is marked. */
const signs: Partial<Record<Mark, string>> = { bold: "**", italic: "_", code: "`" };

/** Marks the characters from `start` to `end`. */
function applyMark(text: string, start: number, end: number, mark: Mark): EditedText {
  const [before, chosen, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const sign = signs[mark];
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
interface OpenMention {
  /** What stands after the brackets. */
  text: string;
  from: number;
  to: number;
}

function mentionAt(text: string, caret: number): OpenMention | undefined {
  const from = text.lastIndexOf("[[", caret - 1);
  if (from < 0 || caret - from > 200) return undefined;
  const typed = text.slice(from + 2, caret);
  return /[[\]\n]/.test(typed) ? undefined : { text: typed, from, to: caret };
}

/** Completes it with the name of a term. */
function withMention(text: string, { from, to }: OpenMention, name: string): EditedText {
  const rest = text.slice(to).replace(/^\]{0,2}/, "");
  return { text: `${text.slice(0, from)}[[${name}]]${rest}`, at: from + name.length + 4 };
}
