import { Button, buttonClass } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";

/** Says that the session has ended, and offers to sign in without leaving the page. */
export default function SessionDialog(
  { onCheck, onClose }: { onCheck: () => void; onClose: () => void },
) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your session has ended"
      about="Sign in again in another tab and come back. Nothing that you typed here is lost."
      actions={
        <>
          <Button onClick={onCheck}>I am signed in</Button>
          <a
            className={buttonClass({ variant: "primary" })}
            href="login"
            target="_blank"
            rel="noopener"
          >
            Sign in
          </a>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
