import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { refresh } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Note } from "#web/kit/states.tsx";
import { TokenUsage, type TokenUse } from "#web/features/management/token-usage.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** A token that was just made. */
export interface Secret {
  /** Whose it is. */
  of: string;
  value: string;
  use: TokenUse;
}

/** Remembers a token until it has been seen. */
export function useSecret(): [
  secret: Secret | undefined,
  show: (of: string, value: string | null | undefined, use: TokenUse) => void,
  forget: () => void,
] {
  const [secret, setSecret] = useState<Secret>();
  return [
    secret,
    (of, value, use) => value && setSecret({ of, value, use }),
    () => setSecret(undefined),
  ];
}

/** Shows a token the one time that it can be shown. */
export function SecretOnce({ of, onClose }: { of: Secret | undefined; onClose: () => void }) {
  if (!of) return null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("management.tokenOf", { name: of.of })}
      wide
      actions={<Button variant="primary" onClick={onClose}>{t("management.done")}</Button>}
    >
      <div className={styles.stack}>
        <Note tone="warn">{t("management.copyItNowItIs")}</Note>
        <div className={styles.secret}>
          <code>{of.value}</code>
          <CopyButton text={of.value} what={t("management.token")} />
        </div>
        <TokenUsage of={of.use} token={of.value} />
      </div>
    </Dialog>
  );
}

/** Leads to a new token of something in a list. */
export function RenewButton({ of, onClick }: { of: string; onClick: () => void }) {
  return (
    <IconButton label={t("management.newTokenOf", { name: of })} small onClick={onClick}>
      <KeyRound />
    </IconButton>
  );
}

/** Asks before a token is replaced; the new one is passed to `onNew`. */
export function TokenRenewal<Result>(
  { name, send, onNew, touches, onClose, children }: {
    name: string;
    send: () => Promise<Result>;
    onNew: (result: Result) => void;
    touches: string;
    onClose: () => void;
    /** What ends with the token of now. */
    children: ReactNode;
  },
) {
  const queries = useQueryClient();
  const renew = async () => {
    onNew(await send());
    await refresh(queries, touches);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t("management.aNewTokenFor", { name })}
      action={t("management.createANewToken")}
      onConfirm={renew}
    >
      {children}
    </Confirm>
  );
}
