import { Button, buttonClass } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { t } from "#web/messages/text.ts";

/** Says that the session has ended, and offers to sign in without leaving the page. */
export default function SessionDialog(
  { onCheck, onClose }: { onCheck: () => void; onClose: () => void },
) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("app.yourSessionHasEnded")}
      about={t("app.signInAgainInAnother")}
      actions={
        <>
          <Button onClick={onCheck}>{t("app.iAmSignedIn")}</Button>
          <a
            className={buttonClass({ variant: "primary" })}
            href="login"
            target="_blank"
            rel="noopener"
          >
            {t("app.signIn")}
          </a>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
