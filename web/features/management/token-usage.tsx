import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { read } from "#web/api/client.ts";
import { CopyButton } from "#web/kit/copy.tsx";
import { listText } from "#web/kit/numbers.ts";
import { collectorCurl, personalCurl, sourceCurl } from "#web/features/management/token-curl.ts";
import styles from "#web/features/management/management.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

/** What a token is for. */
export type TokenUse =
  | { kind: "source"; id: number; catrn: string; name: string }
  | { kind: "collector"; id: number }
  | { kind: "person" };

/** A command that uses a token as it is, and whether something has come from its owner. */
export function TokenUsage({ of, token }: { of: TokenUse; token: string }) {
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
      {of.kind !== "person" && <Arrived of={of} />}
      {of.kind !== "person" && (
        <p className="soft">
          <Rich
            of="management.guidesAreUnder"
            tags={{
              link: <Link to="/management/$section" params={{ section: "integrations" }} />,
            }}
          />
        </p>
      )}
    </>
  );
}

/** Says when the first batch has come; it is read again with each batch that the catalogue takes in. */
function Arrived({ of }: { of: Exclude<TokenUse, { kind: "person" }> }) {
  const query = of.kind === "source" ? { data_source_id: of.id } : { collector_id: of.id };
  const { data } = useQuery({
    ...read("/api/datasources/arrivals", { params: { query } }),
    placeholderData: undefined,
    staleTime: 0,
  });
  const count = data?.assets_count ?? 0;
  return (
    <p className={styles.arrived} role="status">
      {count > 0
        ? (
          <>
            <CircleCheck aria-hidden />
            {t("management.firstBatchReceived", {
              count,
              sources: listText(data!.data_sources),
            })}
          </>
        )
        : (
          <>
            <LoaderCircle aria-hidden />
            {t("management.waitingForTheFirstBatch")}
          </>
        )}
    </p>
  );
}
