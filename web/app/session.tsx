import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onSignedOut } from "#web/api/queries.ts";
import { ask } from "#web/api/client.ts";
import { lazyComponent } from "#web/kit/lazy-component.tsx";

const SessionDialog = lazyComponent(() =>
  import("#web/app/session-dialog.tsx").then((all) => all.default)
);

/**
 * Asks to sign in again when the session has ended, in another tab, so that what was typed here stays; comes back by
 * itself when that is done.
 */
export function SessionEnded() {
  const [ended, setEnded] = useState(false);
  const queries = useQueryClient();
  useEffect(() => onSignedOut(() => setEnded(true)), []);
  const check = async () => {
    try {
      await ask("get", "/api/identity/whoami");
      setEnded(false);
      await queries.invalidateQueries();
    } catch {
      // Still signed out, or the service is away: the dialog stays.
    }
  };
  useEffect(() => {
    if (!ended) return;
    const onVisible = () => void (document.visibilityState === "visible" && check());
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [ended]);
  if (!ended) return null;
  return <SessionDialog onCheck={check} onClose={() => setEnded(false)} />;
}
