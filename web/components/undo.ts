import { messageOf } from "#web/api/errors.ts";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** What the `Undo` of a toast runs: says so when it could not be done. */
export function undoing(work: () => Promise<unknown>): () => void {
  return () => void work().catch((error) => complain(t("components.couldNotUndo"), error));
}

/** Does what `undo` takes back, and says that it is done; or says that it was refused, and why. */
export async function doUndoable(
  work: () => Promise<unknown>,
  { done, refused, undo }: { done: string; refused: string; undo: () => Promise<unknown> },
): Promise<void> {
  try {
    await work();
    toast(done, { undo: undoing(undo) });
  } catch (error) {
    complain(refused, error);
  }
}

/** Says that something was refused, and why. */
export function complain(title: string, error: unknown): void {
  toast(title, { tone: "bad", about: messageOf(error) });
}
