import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Button } from "#web/kit/button.tsx";
import { Page } from "#web/kit/page.tsx";
import { Empty, Failure } from "#web/kit/states.tsx";
import { ChunkLoadError, reloadAfterUpgrade, reloadIfThere } from "#web/kit/chunk-load-error.ts";
import { useLiveState } from "#web/components/live.tsx";
import { Shell } from "#web/app/shell.tsx";
import { t } from "#web/messages/text.ts";

/** What every route can use. */
interface RouteContext {
  queries: QueryClient;
}

export const root = createRootRouteWithContext<RouteContext>()({
  component: Shell,
  notFoundComponent: () => (
    <Page title={t("app.pageNotFound")}>
      {t("app.checkTheAddressOrUse")}
    </Page>
  ),
  errorComponent: FailedScreen,
});

export function FailedScreen({ error, reset }: { error: unknown; reset: () => void }) {
  if (error instanceof ChunkLoadError) return <Missing error={error} />;
  return (
    <Page title={t("app.somethingWentWrongOnThis")}>
      <Failure error={error} onRetry={reset} />
    </Page>
  );
}

/** A screen whose file did not arrive. */
function Missing({ error }: { error: ChunkLoadError }) {
  useEffect(() => void reloadAfterUpgrade(), [error]);
  const live = useLiveState();
  const wasLost = useRef(false);
  useEffect(() => {
    if (live === "live" && wasLost.current) void reloadIfThere();
    wasLost.current = live === "lost";
  }, [live]);
  return (
    <Page title={t("app.couldNotLoadThisPage")}>
      <Empty
        title={t("kit.aPartOfTheInterface")}
        action={<Button onClick={() => void reloadIfThere()}>{t("kit.tryAgain")}</Button>}
      >
        {t("app.theServerIsUnreachableOr")}
      </Empty>
    </Page>
  );
}
