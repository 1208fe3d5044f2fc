import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "#web/kit/button.tsx";
import styles from "#web/kit/code.module.css";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** Copies a text to the clipboard; `what` names it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      small
      label={copied ? t("kit.copied", { what }) : t("kit.copy", { what })}
      onClick={() => void copyText(text).then(setCopied)}
    >
      {copied ? <Check /> : <Copy />}
    </IconButton>
  );
}

/** Whether it was copied; says so if it was not. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast(t("kit.theBrowserDoesNotLet"), { tone: "bad" });
    return false;
  }
}

/** Copies the address, which holds all state of a view. */
export async function copyAddress(): Promise<void> {
  if (await copyText(location.href)) toast(t("kit.linkCopied"));
}

/** Text of a machine, such as a query: as it is written, to be copied. `what` names it. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles.block}>
      <pre className={styles.text} tabIndex={0} aria-label={what}>{text}</pre>
      <div className={styles.copy}>
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}
