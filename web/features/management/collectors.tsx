import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { type Column, textColumn, timeColumn } from "#web/kit/table.tsx";
import { useCan } from "#web/components/permissions.ts";
import { ManagedList, useManaged } from "#web/features/management/managed-list.tsx";
import { RenewButton, TokenRenewal, useSecret } from "#web/features/management/secret-once.tsx";
import { DescribedDialog } from "#web/features/management/sources.tsx";
import { t } from "#web/messages/text.ts";

type Collector = Schema<"Collector">;
const touches = ["/api/collectors", "/api/namespaces"];

/** Collectors: programs that read sources at intervals and register them. */
export function Collectors() {
  const can = useCan();
  const [secret, show] = useSecret();
  const [renewing, setRenewing] = useState<Collector>();
  const list = useManaged("/api/collectors");
  return (
    <>
      <ManagedList<Collector>
        title={t("management.collectors")}
        about={t("management.programsThatReadSourcesOn")}
        what="collector"
        {...list}
        columns={columns()}
        form={(close, row) => (
          <CollectorDialog
            of={row}
            onClose={close}
            onMade={(made) => show(made.name, made.token.value, tokenUseOf(made))}
          />
        )}
        canCreate={can("COLLECTOR_CREATE")}
        canEdit={() => can("COLLECTOR_UPDATE")}
        actions={(row) =>
          can("COLLECTOR_TOKEN_REGENERATE") && (
            <RenewButton
              of={row.name}
              onClick={() => setRenewing(row)}
            />
          )}
        remove={removal(can("COLLECTOR_DELETE"))}
        empty={t("management.makeOneForItsToken")}
      />
      {renewing && (
        <TokenRenewal
          name={renewing.name}
          touches="/api/collectors"
          send={() =>
            send("put", "/api/collectors/{collector_id}/token", {
              path: { collector_id: renewing.id },
            })}
          onNew={(renewed) => show(renewed.name, renewed.token.value, tokenUseOf(renewed))}
          onClose={() => setRenewing(undefined)}
        >
          <p>{t("management.theCollectorIsRefusedUntil")}</p>
        </TokenRenewal>
      )}
      {secret}
    </>
  );
}

const tokenUseOf = ({ id }: Collector) => ({ kind: "collector", id }) as const;

const columns = (): Column<Collector>[] => [
  textColumn(t("kit.name"), ({ name }) => name),
  { name: t("kit.namespace"), cell: ({ namespace }) => namespace?.name ?? "–" },
  textColumn(t("kit.description"), ({ description }) => description),
  textColumn(t("management.columnToken"), ({ token }) => token.hint, "mono"),
  timeColumn(t("management.since"), ({ token }) => token.updated_at),
];

function removal(may: boolean) {
  return {
    can: () => may,
    send: ({ id }: Collector) =>
      send("delete", "/api/collectors/{collector_id}", { path: { collector_id: id } }),
    about: () => <p>{t("management.itsTokenStopsWorkingAt")}</p>,
    touches,
  };
}

/** The form of a collector. A new one is shown with its token; `proposed`: a name for it. */
export function CollectorDialog(
  { of, proposed, onMade, onClose }: {
    of: Collector | undefined;
    proposed?: string;
    onMade: (made: Collector) => void;
    onClose: () => void;
  },
) {
  return (
    <DescribedDialog<Collector>
      what="collector"
      of={of}
      proposed={proposed}
      touches={touches}
      onClose={onClose}
      onDone={(made) => !of && onMade(made)}
      submit={(body) =>
        of
          ? send("put", "/api/collectors/{collector_id}", { path: { collector_id: of.id }, body })
          : send("post", "/api/collectors", { body })}
    />
  );
}
