import { Dialog as Base } from "@base-ui/react/dialog";
import { SlidersHorizontal, X } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { messageOf } from "#web/api/errors.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/overlay.module.css";
import { Note } from "#web/kit/states.tsx";
import { useNarrow } from "#web/kit/use-narrow.ts";
import { t } from "#web/messages/text.ts";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  about?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  wide?: boolean;
  /** At the lower edge, over the whole width, as filters of a phone. */
  sheet?: boolean;
  children: ReactNode;
}

/**
 * A dialog above the page; Escape and a click next to it close it, and the focus returns where it was. It is in the first field
 * at the start.
 */
export function Dialog(
  { open, onClose, title, about, actions, wide, sheet, children }: DialogProps,
) {
  const opener = useOpener(open);
  const body = useRef<HTMLDivElement>(null);
  useFocusWithin(open, body);
  useInertPage(open);
  return (
    <Base.Root open={open} onOpenChange={(now) => now || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={classes(styles.dialog, wide && styles.wide, sheet && styles.sheet)}
          initialFocus={() => firstField(body.current)}
          finalFocus={() => placeAfter(opener)}
        >
          <div className={styles.head}>
            <div>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {about && <Base.Description className={styles.about}>{about}</Base.Description>}
            </div>
            <IconButton label={t("kit.close")} small onClick={onClose}>
              <X />
            </IconButton>
          </div>
          <div ref={body} className={styles.body}>{children}</div>
          {actions && <div className={styles.foot}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** What had the focus before: seen while the dialog is being made, because a field of it may take the focus at once. */
function useOpener(open: boolean): HTMLElement | null {
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [was, setWas] = useState(false);
  if (open === was) return opener;
  const now = open ? document.activeElement as HTMLElement | null : opener;
  setWas(open);
  setOpener(now);
  return now;
}

/** The field that has taken the focus already, or the first one; true where there is none: the first control has it then. */
function firstField(body: HTMLElement | null): HTMLElement | true {
  if (body?.contains(document.activeElement)) return document.activeElement as HTMLElement;
  return body?.querySelector<HTMLElement>(
    "input:not([type=hidden],[disabled]),select:not([disabled]),textarea:not([disabled])",
  ) ?? true;
}

/**
 * Where the focus goes then. Of an item of a menu the library knows what opened it; otherwise what keeps the focus
 * (`retained-focus.ts`) puts it near, while the library would take the first link of the screen, which skips it.
 */
function placeAfter(opener: HTMLElement | null): HTMLElement | boolean {
  if (opener && opener !== document.body && opener.isConnected) return opener;
  return opener?.closest("[role=menu]") ? true : false;
}

/**
 * Sees to it that the focus is in the dialog. The library does, but for one that takes the place of another in the same
 * moment, such as a form that of what was being loaded: the one that closes takes the focus away.
 */
function useFocusWithin(open: boolean, body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!open) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        const dialog = body.current?.closest("[role=dialog]");
        // Another one above it keeps what it has.
        if (!dialog || document.activeElement?.closest("[role=dialog]")) return;
        const field = firstField(body.current);
        (field === true ? dialog as HTMLElement : field).focus();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [open]);
}

let openDialogs = 0;

/**
 * Makes the page inert while a dialog is open, so that neither the keyboard nor a search in the page reaches what is behind it.
 * A layout effect, because the page has to be reachable again before the library returns the focus to it.
 */
export function useInertPage(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    const page = document.getElementById("root")!;
    page.inert = ++openDialogs > 0;
    return () => void (page.inert = --openDialogs > 0);
  }, [open]);
}

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
      {error !== undefined && <Note tone="bad">{messageOf(error)}</Note>}
    </Dialog>
  );
}

/** Filters of a list: next to it, or on a phone behind a button, which says how many are set. */
export function FilterSheet({ set, children }: { set: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (!useNarrow()) return children;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden /> {t("kit.filters")}
        {set > 0 && ` (${set})`}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t("kit.filters")}
        sheet
        actions={
          <Button variant="primary" onClick={() => setOpen(false)}>{t("kit.showResults")}</Button>
        }
      >
        <div className={styles.filters}>{children}</div>
      </Dialog>
    </>
  );
}
