import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { Bones, Note } from "#web/kit/states.tsx";
import { alertTypeText } from "#web/components/alerts.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import type { Alert } from "#web/features/alerts/groups.ts";
import type { SilenceDraft } from "#web/features/alerts/silence-draft.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

/** Alerts that are looked through, and those that are named. */
const max = 1_000;
const named = 6;

/** Which alerts that are open now the silence would meet. */
export function SilencePreview({ draft }: { draft: SilenceDraft }) {
  const { entity, namespace, owner, type } = draft;
  const nothing = !entity && !namespace && !owner && !type;
  const ofEntity = Boolean(entity && !namespace && !owner);
  const page = { status: "OPEN", page: 1, size: max } as const;
  const all = useQuery({
    ...read("/api/alerts/list", {
      params: {
        query: { ...page, namespace_id: namespace?.id, owner_ids: owner ? [owner.id] : undefined },
      },
    }),
    enabled: !nothing && !ofEntity,
  });
  const own = useQuery({
    ...read("/api/dataentities/{data_entity_id}/alerts/list", {
      params: { path: { data_entity_id: entity?.id ?? 0 }, query: page },
    }),
    enabled: ofEntity,
  });
  const { data, error } = ofEntity ? own : all;
  if (nothing) return <Note>{t("alerts.chooseWhatIsToBe")}</Note>;
  if (error) return <Note tone="warn">{t("alerts.couldNotDetermineTheMatching")}</Note>;
  if (!data) return <Bones lines={2} />;
  return <Met alerts={data.filter((alert) => meets(alert, draft))} cut={data.length === max} />;
}

function meets(alert: Alert, { entity, type }: SilenceDraft): boolean {
  return (!entity || alert.data_entity?.id === entity.id) && (!type || alert.type === type);
}

function Met({ alerts, cut }: { alerts: Alert[]; cut: boolean }) {
  const rest = alerts.length - named;
  return (
    <Note tone={alerts.length > 0 ? "good" : "info"}>
      <strong>
        {cut
          ? t("alerts.atLeastMetNow", { count: alerts.length })
          : t("alerts.metNow", { count: alerts.length })}
      </strong>
      <ul className={styles.met}>
        {alerts.slice(0, named).map((alert) => (
          <li key={alert.id} className="truncate">
            {t("alerts.typeAndWhat", {
              type: alertTypeText(alert.type),
              what: alert.data_entity ? nameOf(alert.data_entity) : alert.data_source?.name ?? "",
            })}
          </li>
        ))}
        {rest > 0 && <li>{t("alerts.andMore", { count: rest })}</li>}
      </ul>
    </Note>
  );
}
