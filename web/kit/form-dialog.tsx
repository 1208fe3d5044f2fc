import { type ReactNode, useId, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Note } from "#web/kit/states.tsx";
import { useUnsaved } from "#web/kit/form.tsx";
import styles from "#web/kit/inline-form.module.css";
import { t } from "#web/messages/text.ts";

interface FormDialogProps {
  title: string;
  about?: ReactNode;
  /** Text of the button. */
  save: string;
  danger?: boolean;
  /** Nothing is sent yet because something is missing. */
  disabled?: boolean;
  wide?: boolean;
  /** Of `useForm`; what it says of no field that `children` asked for is shown below them. */
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
      actions={<Actions {...props} id={id} />}
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
        <Rest of={form.rest} />
      </form>
      {question}
    </Dialog>
  );
}

function Actions({ id, save, danger, disabled, form, onClose }: FormDialogProps & { id: string }) {
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
function Rest({ of }: { of: () => string[] }) {
  const messages = of();
  return messages.length > 0 ? <Note tone="bad">{messages.join("; ")}</Note> : null;
}
