import { messageOf } from "#web/api/errors.ts";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** What the `Undo` of a toast runs: says so when it could not be done. */
export function undoing(work: () => Promise<unknown>): () => void {
  return () => void work().catch((error) => complain(t("components.couldNotUndo"), error));
}

/** Says that something was refused, and why. */
export function complain(title: string, error: unknown): void {
  toast(title, { tone: "bad", about: messageOf(error) });
}
