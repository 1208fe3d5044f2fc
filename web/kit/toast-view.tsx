import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { buttonClass, IconButton } from "#web/kit/button.tsx";
import { showToasts, type ToastOptions } from "#web/kit/toast.ts";
import styles from "#web/kit/toast.module.css";
import { t } from "#web/messages/text.ts";

const manager = Base.createToastManager();

function add(title: string, { about, tone = "good", undo }: ToastOptions): void {
  manager.add({
    title,
    description: about,
    type: tone,
    // Those of high priority are hidden from assistive technology with the buttons in them, and only read out.
    priority: "low",
    timeout: tone === "bad" ? 12_000 : undo ? 10_000 : 4_000,
    actionProps: undo ? { children: t("kit.undo"), onClick: undo } : undefined,
  });
}

/** Shows toasts at the edge of the window. */
export default function ToastView() {
  useEffect(() => showToasts(add), []);
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function List() {
  const { toasts, close } = Base.useToastManager();
  return toasts.map((one) => (
    <Base.Root key={one.id} toast={one} className={styles.toast}>
      <div className={styles.text}>
        <Base.Title />
        <Base.Description className={styles.about} />
      </div>
      {one.actionProps && <Base.Action className={buttonClass({ small: true })} />}
      <IconButton label={t("kit.dismiss")} small onClick={() => close(one.id)}>
        <X />
      </IconButton>
    </Base.Root>
  ));
}
