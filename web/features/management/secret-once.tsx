import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, KeyRound, LoaderCircle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "@tanstack/react-router";
import { read, refresh } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Confirm, Dialog } from "#web/kit/dialog.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { Note } from "#web/kit/states.tsx";
import { listText } from "#web/kit/numbers.ts";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { collectorCurl, personalCurl, sourceCurl } from "#web/features/management/token-curl.ts";

/** A token that was just made. */
interface Secret {
  /** Whose it is. */
  of: string;
  value: string;
  use: TokenUse;
}

/** Shows a token the one time that it can be shown: what is to be drawn, and what shows one. */
export function useSecret(): [
  dialog: ReactNode,
  show: (of: string, value: string | null | undefined, use: TokenUse) => void,
] {
  const [secret, setSecret] = useState<Secret>();
  const dialog = secret && <SecretOnce {...secret} onClose={() => setSecret(undefined)} />;
  return [dialog, (of, value, use) => value && setSecret({ of, value, use })];
}

function SecretOnce({ of, value, use, onClose }: Secret & { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("management.tokenOf", { name: of })}
      wide
      actions={<Button variant="primary" onClick={onClose}>{t("management.done")}</Button>}
    >
      <div className={styles.stack}>
        <Note tone="warn">{t("management.copyItNowItIs")}</Note>
        <div className={styles.secret}>
          <code>{value}</code>
          <CopyButton text={value} what={t("management.token")} />
        </div>
        <TokenUsage of={use} token={value} />
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

/** What a token is for. */
type TokenUse =
  | { kind: "source"; id: number; catrn: string; name: string }
  | { kind: "collector"; id: number }
  | { kind: "person" };

/** A command that uses a token as it is, and whether something has come from its owner. */
function TokenUsage({ of, token }: { of: TokenUse; token: string }) {
  const curl = of.kind === "source"
    ? sourceCurl(token, of)
    : of.kind === "collector"
    ? collectorCurl(token)
    : personalCurl(token);
  return (
    <>
      <h3>{t("management.tryIt")}</h3>
      <div className={styles.snippet}>
        <pre
          tabIndex={0}
          aria-label={t("management.commandWithThisToken")}
        ><code>{curl}</code></pre>
        <CopyButton text={curl} what={t("management.command")} />
      </div>
      {of.kind !== "person" && (
        <>
          <Arrived of={of} />
          <p className="soft">
            <Rich
              of="management.guidesAreUnder"
              tags={{
                link: <Link to="/management/$section" params={{ section: "integrations" }} />,
              }}
            />
          </p>
        </>
      )}
    </>
  );
}

/** Says when the first batch has come; it is read again with each batch that the catalogue takes in. */
function Arrived({ of }: { of: Exclude<TokenUse, { kind: "person" }> }) {
  const query = of.kind === "source" ? { data_source_id: of.id } : { collector_id: of.id };
  const { data } = useQuery({
    ...read("/api/datasources/arrivals", { query }),
    placeholderData: undefined,
    staleTime: 0,
  });
  const count = data?.assets_count ?? 0;
  return (
    <p className={styles.arrived} role="status">
      {count > 0 ? <CircleCheck aria-hidden /> : <LoaderCircle aria-hidden />}
      {count > 0
        ? t("management.firstBatchReceived", { count, sources: listText(data!.data_sources) })
        : t("management.waitingForTheFirstBatch")}
    </p>
  );
}
