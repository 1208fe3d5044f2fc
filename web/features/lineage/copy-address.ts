import { copyText } from "#web/kit/copy.tsx";
import { toast } from "#web/kit/toast.tsx";

/** Copies the address, which holds all that is seen. */
export async function copyAddress(): Promise<void> {
  if (await copyText(location.href)) toast("Link copied");
}
