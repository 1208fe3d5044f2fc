import { type ReactNode, useState } from "react";
import { messagesByField } from "#web/api/errors.ts";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Note } from "#web/kit/states.tsx";
import { t } from "#web/messages/text.ts";

/** Asks before something that cannot be taken back; stays open and says why when it is refused. */
export function Confirm(
  { open, onClose, title, action, onConfirm, cancel = t("kit.cancel"), children }: {
    open: boolean;
    onClose: () => void;
    title: string;
    /** Text of the button: what will be done. */
    action: string;
    onConfirm: () => Promise<unknown>;
    /** Text of the button that leaves all as it is. */
    cancel?: string;
    children?: ReactNode;
  },
) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button variant="danger" busy={busy} onClick={confirm}>{action}</Button>
        </>
      }
    >
      {children}
      {error !== undefined && (
        <Note tone="bad">{[...messagesByField(error).values()].join("; ")}</Note>
      )}
    </Dialog>
  );
}
