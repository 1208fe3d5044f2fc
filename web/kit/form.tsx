import { useMutation } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { messagesByField } from "#web/api/errors.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Confirm, Dialog } from "#web/kit/dialog.tsx";
import styles from "#web/kit/inline-form.module.css";
import { Note } from "#web/kit/states.tsx";
import { t } from "#web/messages/text.ts";

/** Editing in place: Ctrl-Enter (or Enter in a field of one line) saves, Escape cancels. Text that is not saved is not lost unasked. */
export function InlineForm(
  { form, onSave, onCancel, save = t("kit.save"), children }: {
    /** Of `useForm`; messages that belong to no field of `children` are shown below them. */
    form: FormDialogProps["form"];
    onSave: () => void;
    onCancel: () => void;
    save?: string;
    children: ReactNode;
  },
) {
  const { busy, rest } = form;
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
      <OtherMessages of={rest} />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" small busy={busy}>{save}</Button>
        <Button small onClick={onCancel}>{t("kit.cancel")}</Button>
      </div>
      {question}
    </form>
  );
}

/** Begins editing in place. */
export function EditButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IconButton small label={label} onClick={onClick}>
      <Pencil />
    </IconButton>
  );
}

interface FormDialogProps {
  title: string;
  about?: ReactNode;
  /** Text of the button. */
  save: string;
  danger?: boolean;
  /** Nothing is sent yet because something is missing. */
  disabled?: boolean;
  wide?: boolean;
  /** Of `useForm`; messages that belong to no field of `children` are shown below them. */
  form: { busy: boolean; rest: () => string[] };
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: Enter, or Ctrl-Enter in a field of several lines, saves; what was typed is not lost by a key or a click outside. */
export function FormDialog(props: FormDialogProps) {
  const { title, about, wide, form, disabled, onSave, onClose, children } = props;
  const id = useId();
  const [touched, setTouched] = useState(false);
  const { leave, question } = useUnsaved(touched && !form.busy, true);
  const send = () => void (form.busy || disabled || onSave());
  return (
    <Dialog
      open
      onClose={() => leave(onClose)}
      title={title}
      about={about}
      wide={wide}
      actions={<FormButtons {...props} id={id} />}
    >
      <form
        id={id}
        className={styles.dialog}
        noValidate
        onInput={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          send();
        }}
        onKeyDown={(event) => {
          const mod = event.ctrlKey || event.metaKey;
          if (event.key === "Enter" && mod) send();
        }}
      >
        {children}
        <OtherMessages of={form.rest} />
      </form>
      {question}
    </Dialog>
  );
}

function FormButtons(
  { id, save, danger, disabled, form, onClose }: FormDialogProps & { id: string },
) {
  return (
    <>
      <Button onClick={onClose}>{t("kit.cancel")}</Button>
      <Button
        type="submit"
        form={id}
        variant={danger ? "danger" : "primary"}
        busy={form.busy}
        disabled={disabled}
      >
        {save}
      </Button>
    </>
  );
}

/** Drawn after the fields, which by then have reported what they show. */
function OtherMessages({ of }: { of: () => string[] }) {
  const messages = of();
  return messages.length > 0 ? <Note tone="bad">{messages.join("; ")}</Note> : null;
}

/** What the fields of a form take. */
export type FormFields = Pick<ReturnType<typeof useForm>, "errorOf" | "field">;

/**
 * A form that is sent: `send` does it, `errorOf(field)` is what the service said of a field (by the last part of
 * its path too, so that `owner_name` finds `body.owner_name`), `field(…)` what a field of text takes, and `rest` what concerns
 * no field that was requested.
 */
export function useForm<Input, Result>(
  send: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const mutation = useMutation({ mutationFn: send, onSuccess: onDone });
  const messages = mutation.isError ? messagesByField(mutation.error) : new Map<string, string>();
  const touched = new Set<string>();
  const found = (field: string) =>
    [...messages].find(([path]) => path === field || path.endsWith(`.${field}`));
  const errorOf = (field: string) => {
    touched.add(field);
    return found(field)?.[1];
  };
  return {
    submit: (input: Input) => mutation.mutate(input),
    busy: mutation.isPending,
    failed: mutation.isError,
    reset: mutation.reset,
    errorOf,
    field: (name: string, value: string, onValue: (value: string) => void) => ({
      value,
      error: errorOf(name),
      onChange: ({ target }: { target: { value: string } }) => onValue(target.value),
    }),
    /** To be requested after the fields. */
    rest: () => {
      const known = new Set([...touched].map((field) => found(field)?.[0]));
      return [...messages].filter(([path]) => !known.has(path)).map(([path, text]) =>
        path ? `${path}: ${text}` : text
      );
    },
  };
}

/**
 * Asks before text is lost that somebody typed and did not save: by another screen, by the browser's Back, or by closing the
 * tab. `leave` asks before it does what it is given, for keys that close the editor; `question` is to be shown.
 */
function useUnsaved(
  changed: boolean,
  backOnly = false,
): { leave: (go: () => void) => void; question: ReactNode } {
  const [pending, setPending] = useState<() => void>();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next, action }) =>
      leavesEditor(current, next) && (!backOnly || action === "BACK" || action === "FORWARD"),
    enableBeforeUnload: changed,
    disabled: !changed,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  const stay = () => {
    setPending(undefined);
    if (isBlocked) blocker.reset();
  };
  const discard = () => {
    pending?.();
    if (isBlocked) blocker.proceed();
    return Promise.resolve();
  };
  return {
    leave: (go) => changed ? setPending(() => go) : go(),
    question: (pending || isBlocked) && (
      <Confirm
        open
        title={t("kit.discardUnsavedChanges")}
        action={t("kit.discard")}
        cancel={t("kit.keepEditing")}
        onClose={stay}
        onConfirm={discard}
      >
        {t("kit.whatYouTypedIsNot")}
      </Confirm>
    ),
  };
}

/** Parameters of the address that change what is edited; others, such as a filter, leave an editor open. */
const editorParams = ["field", "version"];

interface Place {
  pathname: string;
  search: object;
}

/** Whether going from one address to the other closes what is being edited. */
function leavesEditor(from: Place, to: Place): boolean {
  const valueOf = ({ search }: Place, name: string) => (search as Record<string, unknown>)[name];
  return from.pathname !== to.pathname ||
    editorParams.some((name) => valueOf(from, name) !== valueOf(to, name));
}
