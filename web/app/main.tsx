import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "#web/kit/tokens.css";
import "#web/kit/base.css";
import { createQueries } from "#web/api/queries.ts";
import { createAppRouter } from "#web/app/routes.tsx";
import { WithoutTexts } from "#web/app/without-texts.tsx";
import { ChunkLoadError } from "#web/kit/lazy-component.tsx";
import { Toasts } from "#web/kit/toasts.tsx";
import { loadFirst } from "#web/messages/load.ts";

// What did not arrive is said on the page.
const onCaughtError = (error: unknown) =>
  error instanceof ChunkLoadError ? console.warn(error.message) : console.error(error);

function start(): void {
  const queries = createQueries();
  const router = createAppRouter(queries);
  const page = createRoot(document.getElementById("root")!, { onCaughtError });
  const show = (hasTexts: boolean) =>
    page.render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          {hasTexts
            ? (
              <QueryClientProvider client={queries}>
                <RouterProvider router={router} />
                <Toasts />
              </QueryClientProvider>
            )
            : <WithoutTexts />}
        </CSPProvider>
      </StrictMode>,
    );
  // In slices, between which the browser answers; a screen that arrives later would be rendered in one.
  void Promise.allSettled([router.load(), loadFirst().catch(loadFirst)])
    .then(([, { status }]) => startTransition(() => show(status === "fulfilled")));
}

// In a task of its own, since it takes the browser long enough to have read all of the above.
setTimeout(start);
