import type { QueryClient } from "@tanstack/react-query";
import { createRouter, stringifySearchWith } from "@tanstack/react-router";
import { FailedScreen, root } from "#web/app/root.tsx";
import { routesBelow } from "#web/app/routes.tsx";

const tree = root.addChildren(routesBelow(root));

/** Plain values in the address: `?status=OPEN&tags=1,2`, so that people can read and edit it. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

const stringifySearch = stringifySearchWith((value) => String(value));

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    basepath: new URL(document.baseURI).pathname,
    parseSearch,
    stringifySearch,
    // At the screen itself, so that the frame around it stays.
    defaultErrorComponent: FailedScreen,
    defaultPreload: "intent",
    defaultPreloadDelay: 80,
    scrollRestoration: true,
    defaultStructuralSharing: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
