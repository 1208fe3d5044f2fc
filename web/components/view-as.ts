import { useSyncExternalStore } from "react";
import { refuseChanges } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

/** The user whose permissions the interface shows instead of one's own. */
export interface ViewedUser {
  username: string;
  provider: string | null;
}

const key = "tributary.view-as";
const listeners = new Set<() => void>();
let viewed = stored();

/** For this tab only. */
function stored(): ViewedUser | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Shows what a user may do, or with `undefined` what oneself may. Nothing can be changed meanwhile. */
export function viewAs(user: ViewedUser | undefined): void {
  viewed = user;
  if (user) sessionStorage.setItem(key, JSON.stringify(user));
  else sessionStorage.removeItem(key);
  apply();
  for (const listener of listeners) listener();
}

function apply(): void {
  refuseChanges(
    viewed && (() => t("components.viewingNothingChanges", { name: viewed!.username })),
  );
}
apply();

export function useViewedUser(): ViewedUser | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => viewed,
  );
}
