import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refresh, send } from "#web/api/client.ts";
import { messagesByField } from "#web/api/errors.ts";
import { toast } from "#web/kit/toast.ts";
import type { AlertStatus } from "#web/components/alerts.tsx";
import type { Alert } from "#web/features/alerts/groups.ts";
import { t } from "#web/messages/text.ts";

/** An alert and the status that it is to have. */
interface StatusChange {
  alert: Alert;
  status: AlertStatus;
}

/** Requests that are under way at a time. */
const concurrency = 4;
const lists = ["/api/alerts", "/api/dataentities/{data_entity_id}/alerts"];

/** Resolves alerts or opens them again, shown at once; what was done can be taken back. */
export function useChangeStatus() {
  const queries = useQueryClient();
  const [left, setLeft] = useState(0);
  const run = async (wanted: StatusChange[], undoable: boolean) => {
    const changing = wanted.filter(({ alert, status }) => alert.status !== status);
    if (changing.length === 0) return;
    setLeft(changing.length);
    show(queries, changing);
    const done: StatusChange[] = [];
    const refused: unknown[] = [];
    const waiting = [...changing];
    const work = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        await put(one).then(() => done.push(one!), (error) => refused.push(error));
        setLeft((before) => before - 1);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    setLeft(0);
    toastResult(done, refused, undoable ? () => void run(done.map(before), false) : undefined);
    await refresh(queries, ...lists);
  };
  return {
    /** How many are not done yet. */
    left,
    change: (alerts: Alert[], status: AlertStatus) =>
      run(alerts.map((alert) => ({ alert, status })), true),
  };
}

const put = ({ alert, status }: StatusChange) =>
  send("put", "/api/alerts/{alert_id}/status", {
    params: { path: { alert_id: alert.id } },
    body: { status },
  });

/** What takes a change back. */
const before = ({ alert, status }: StatusChange): StatusChange => ({
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
    toast(t("alerts.couldNotBeChanged", { count: refused.length }), {
      tone: "bad",
      about: [...messagesByField(refused[0]).values()].join("; "),
    });
  }
}

/** Writes the new statuses into the lists that are shown, until they are read again. */
function show(queries: QueryClient, wanted: StatusChange[]): void {
  const statuses = new Map(wanted.map(({ alert, status }) => [alert.id, status]));
  const page = (alerts: Alert[]) =>
    alerts.map((alert) => ({ ...alert, status: statuses.get(alert.id) ?? alert.status }));
  queries.setQueriesData<{ pages: Alert[][] }>(
    { predicate: ({ queryKey }) => lists.some((path) => queryKey[0] === `${path}/list`) },
    (data) => data?.pages ? { ...data, pages: data.pages.map(page) } : data,
  );
}
