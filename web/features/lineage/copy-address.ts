import { copyText } from "#web/kit/copy.tsx";
import { toast } from "#web/kit/toast.tsx";
import { t } from "#web/messages/text.ts";

/** Copies the address, which holds all that is seen. */
export async function copyAddress(): Promise<void> {
  if (await copyText(location.href)) toast(t("kit.linkCopied"));
}
