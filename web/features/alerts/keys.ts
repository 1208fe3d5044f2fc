import { useNavigate } from "@tanstack/react-router";
import type { KeyHint } from "#web/kit/keys.tsx";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { useCan } from "#web/components/permissions.ts";
import type { useChangeStatus } from "#web/features/alerts/change.ts";
import type { Alert } from "#web/features/alerts/groups.ts";
import { silenceOf } from "#web/features/alerts/silence-draft.ts";
import { t } from "#web/messages/text.ts";

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
export const alertKeys = (): readonly KeyHint[] => [
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
