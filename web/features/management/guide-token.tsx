import { CircleCheck, KeyRound, LoaderCircle } from "lucide-react";
import { useState } from "react";
import type { Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Note } from "#web/kit/states.tsx";
import { useAppInfo, useCan } from "#web/components/permissions.ts";
import { CollectorDialog } from "#web/features/management/collectors.tsx";
import { TokenDialog } from "#web/features/management/tokens.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** Parameters that a collector's token fills in, those that a person's does, and the words for both. */
const kinds = [
  { kind: "collector", parameters: ["collector_token", "token", "otlp_token"] },
  { kind: "person", parameters: ["personal_token"] },
] as const;

/** Makes a token for a guide and fills it in. */
export function NewToken(
  { guide: { id, name }, parameters, onToken }: {
    guide: Schema<"Integration">;
    parameters: string[];
    onToken: (parameter: string, token: string) => void;
  },
) {
  const [making, setMaking] = useState<"collector" | "person">();
  const [isMade, setMade] = useState(false);
  const can = useCan();
  const signsIn = useAppInfo().data?.authType !== "DISABLED";
  const offered = kinds.filter(({ kind, parameters: some }) =>
    some.some((one) => parameters.includes(one)) &&
    (kind === "collector" ? can("COLLECTOR_CREATE") : signsIn)
  );
  const fill = (token: string | null | undefined) => {
    const { parameters: some } = kinds.find(({ kind }) => kind === making)!;
    for (const one of some) if (parameters.includes(one)) onToken(one, token ?? "");
    setMade(true);
  };
  if (offered.length === 0) return null;
  const form = { proposed: id, onClose: () => setMaking(undefined) };
  return (
    <div className={styles.made}>
      {offered.map(({ kind }) => (
        <Button key={kind} onClick={() => setMaking(kind)}>
          <KeyRound aria-hidden /> {kind === "collector"
            ? t("management.createATokenFor", { name })
            : t("management.createAPersonalToken")}
        </Button>
      ))}
      {isMade && (
        <Note tone="warn">
          {t("management.theTokenIsFilledIn")}
        </Note>
      )}
      {making === "collector" && (
        <CollectorDialog
          of={undefined}
          {...form}
          onMade={({ token }) => fill(token.value)}
        />
      )}
      {making === "person" && <TokenDialog {...form} onMade={({ value }) => fill(value)} />}
    </div>
  );
}

/** Whether anything has come by this way; it changes by itself when the first batch does. */
export function FirstArrival({ of: { name, installed } }: { of: Schema<"Integration"> }) {
  return (
    <p className={styles.arrived} role="status">
      {installed
        ? (
          <>
            <CircleCheck aria-hidden /> {t("management.inUseMetadataHasBeen", { name })}
          </>
        )
        : (
          <>
            <LoaderCircle aria-hidden /> {t("management.waitingForTheFirstBatch2", { name })}
          </>
        )}
    </p>
  );
}
