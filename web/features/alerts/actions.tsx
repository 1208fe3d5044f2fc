import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, RotateCcw } from "lucide-react";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import type { AlertStatus, AlertType } from "#web/components/alerts.tsx";
import type { FacetValue } from "#web/components/facets.tsx";
import { type Permission, useAppInfo, useCan, useViewedUser } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import styles from "#web/features/alerts/alerts.module.css";
import type { Alert } from "#web/features/alerts/groups.ts";
import { Button } from "#web/kit/button.tsx";
import { type KeyHint, Keys } from "#web/kit/keys.tsx";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** An alert and the status that it is to have. */
interface StatusChange {
  alert: Alert;
  status: AlertStatus;
}

/** Requests that are under way at a time. */
const maxConcurrentChanges = 4;
/** What the paths begin with whose answers are lists of alerts. */
const listPaths = ["/api/alerts", "/api/dataentities/{data_entity_id}/alerts"];

/** Resolves alerts or opens them again, shown at once; what was done can be taken back. */
export function useChangeStatus() {
  const queries = useQueryClient();
  const [left, setLeft] = useState(0);
  const run = async (wanted: StatusChange[], undoable: boolean) => {
    const changing = wanted.filter(({ alert, status }) => alert.status !== status);
    if (changing.length === 0) return;
    setLeft(changing.length);
    showStatuses(queries, changing);
    const done: StatusChange[] = [];
    const refused: unknown[] = [];
    const waiting = [...changing];
    const work = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        await putStatus(one).then(() => done.push(one!), (error) => refused.push(error));
        setLeft((before) => before - 1);
      }
    };
    await Promise.all(Array.from({ length: maxConcurrentChanges }, work));
    setLeft(0);
    toastResult(done, refused, undoable ? () => void run(done.map(reverseOf), false) : undefined);
    await refresh(queries, ...listPaths);
  };
  return {
    /** How many are not done yet. */
    left,
    change: (alerts: Alert[], status: AlertStatus) =>
      run(alerts.map((alert) => ({ alert, status })), true),
  };
}

const putStatus = ({ alert, status }: StatusChange) =>
  send("put", "/api/alerts/{alert_id}/status", { path: { alert_id: alert.id }, body: { status } });

/** What takes a change back. */
const reverseOf = ({ alert, status }: StatusChange): StatusChange => ({
  alert: { ...alert, status },
  status: alert.status,
});

function toastResult(done: StatusChange[], refused: unknown[], undo?: () => void): void {
  const count = done.length;
  const text = done[0]?.status === "OPEN"
    ? t("alerts.openedAgain", { count })
    : t("alerts.resolved", { count });
  if (count > 0) toast(text, { undo });
  if (refused.length > 0) {
    complain(t("alerts.couldNotBeChanged", { count: refused.length }), refused[0]);
  }
}

/** Writes the new statuses into the lists that are shown, until they are read again. */
function showStatuses(queries: QueryClient, wanted: StatusChange[]): void {
  const statuses = new Map(wanted.map(({ alert, status }) => [alert.id, status]));
  const page = (alerts: Alert[]) =>
    alerts.map((alert) => ({ ...alert, status: statuses.get(alert.id) ?? alert.status }));
  queries.setQueriesData<{ pages: Alert[][] }>(
    { predicate: ({ queryKey }) => listPaths.some((path) => queryKey[0] === `${path}/list`) },
    (data) => data?.pages ? { ...data, pages: data.pages.map(page) } : data,
  );
}

export interface AlertKeys {
  /** From the first to the last. */
  ordered: Alert[];
  current: Alert | undefined;
  go: (id: number | undefined) => void;
  canChange: boolean;
  change: ReturnType<typeof useChangeStatus>["change"];
  /** What else can be done in this list, by its key. */
  more?: Record<string, () => void>;
}

/** What the keys of every list of alerts do. */
export const alertKeyHints = (): readonly KeyHint[] => [
  ["j k", t("alerts.keyMove")],
  ["e", t("alerts.keyResolve")],
  ["s", t("alerts.keySilence")],
];

/** Keys of a list of alerts: j and k move, e resolves or opens again, s keeps alerts like it quiet. */
export function useAlertKeys({ ordered, current, go, canChange, change, more }: AlertKeys): void {
  const navigate = useNavigate();
  const can = useCan();
  const at = ordered.findIndex(({ id }) => id === current?.id);
  const next = () => ordered[Math.min(at + 1, ordered.length - 1)];
  useShortcuts({
    j: () => go(next()?.id),
    k: () => go(ordered[Math.max(at - 1, 0)]?.id),
    Escape: () => current && go(undefined),
    s: () => {
      if (!current || !can("NOTIFICATION_MANAGE")) return;
      void navigate({ to: "/alerts/silences", search: silenceOf(current) as never });
    },
    e: () => {
      if (!current || !canChange) return;
      const after = next();
      void change([current], current.status === "OPEN" ? "RESOLVED" : "OPEN");
      if (current.status === "OPEN" && after !== current) go(after?.id);
    },
    ...more,
  });
}

/** What a silence is to meet, and until when. */
export interface SilenceDraft {
  entity: Schema<"DataEntityRef"> | null;
  namespace: FacetValue | null;
  owner: Schema<"Owner"> | null;
  type: AlertType | "";
  until: string;
  comment: string;
}

/** What the address of the form says, so that it is filled with what keeps alerts like this one quiet. */
export function silenceOf(
  { type, data_entity }: Pick<Schema<"Alert">, "type" | "data_entity">,
): Record<string, string | undefined> {
  return { new: "1", entity: data_entity ? String(data_entity.id) : undefined, type };
}

interface BarProps {
  ticked: Alert[];
  /** How many are being changed. */
  left: number;
  onClear: () => void;
  onChange: (status: AlertStatus) => void;
  shown: number;
  more: boolean;
}

/** Above the list: how much of it there is, or what can be done with those that are ticked. */
export function AlertBar(props: BarProps) {
  const { ticked, left, shown, more } = props;
  if (left > 0) {
    return <div className={styles.bar} role="status">{t("alerts.toGo", { count: left })}</div>;
  }
  if (ticked.length > 0) return <Ticked {...props} />;
  return (
    <div className={styles.bar}>
      <span className="soft">
        {more
          ? t("alerts.alertsMoreToCome", { count: shown })
          : t("alerts.alertCount", { count: shown })}
      </span>
      <Keys
        of={[
          ...alertKeyHints(),
          ["o", t("alerts.keyOpen")],
          ["x", t("alerts.keySelect")],
          ["/", t("alerts.keySearch")],
        ]}
      />
    </div>
  );
}

function Ticked({ ticked, onClear, onChange }: BarProps) {
  const ids = ticked.map(({ data_entity }) => data_entity?.id);
  const allowed = useCanAll(ids, "DATA_ENTITY_ALERT_RESOLVE");
  return (
    <div className={styles.bar}>
      <span>
        {t("alerts.selected", { count: ticked.length })}
        {!allowed && <span className="soft">&ensp;{t("alerts.youMayNotChangeAll")}</span>}
      </span>
      {allowed && ticked.some(({ status }) => status === "OPEN") && (
        <Button
          small
          variant="primary"
          onClick={() => onChange("RESOLVED")}
        >
          <Check aria-hidden />
          {t("alerts.resolve")}
        </Button>
      )}
      {allowed && ticked.some(({ status }) => status !== "OPEN") && (
        <Button
          small
          onClick={() => onChange("OPEN")}
        >
          <RotateCcw aria-hidden />
          {t("alerts.reopen")}
        </Button>
      )}
      <Button small variant="quiet" onClick={onClear}>{t("alerts.selectNone")}</Button>
    </div>
  );
}

/** Entities whose permissions are requested at most; more may be changed by those only who may change everything. */
const maxChecked = 50;

/** Whether something may be done with all of these entities; undefined stands for what belongs to none. */
function useCanAll(entities: (number | undefined)[], permission: Permission): boolean {
  const everywhere = useCan()(permission);
  const open = useAppInfo().data?.authType === "DISABLED";
  const ids = [...new Set(entities)];
  const viewed = useViewedUser() !== undefined;
  const checked = everywhere || open || viewed
    ? []
    : ids.filter((id) => id !== undefined).slice(0, maxChecked);
  const each = useQueries({
    queries: checked.map((id) => ({
      ...read("/api/resource/{permission_resource_type}/{resource_id}/permissions", {
        path: { permission_resource_type: "DATA_ENTITY", resource_id: id },
      }),
      staleTime: 60_000,
    })),
  });
  if (everywhere || open) return true;
  return !viewed && ids.length === checked.length &&
    each.every(({ data }) => (data as Permission[] | undefined)?.includes(permission));
}
