import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouteComponent,
  stringifySearchWith,
} from "@tanstack/react-router";
import { FailedScreen, root } from "#web/app/shell.tsx";
import { readAhead } from "#web/features/home/reads.ts";
import { HomeScreen } from "#web/features/home/route.tsx";
import { ChunkLoadError } from "#web/kit/lazy-component.tsx";
import { loadRest } from "#web/messages/load.ts";

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren(screens()),
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

/** Plain values in the address: `?status=OPEN&tags=1,2`, so that people can read and edit it. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

const stringifySearch = stringifySearchWith((value) => String(value));

/** Every address of the interface, with the screen that it loads when somebody goes there. */
// deno-lint-ignore house/function-length -- one table, read from top to bottom
function screens() {
  const screen = <P extends string>(path: P, component: RouteComponent) =>
    createRoute({ getParentRoute: () => root, path, component, validateSearch });
  return [
    createRoute({
      getParentRoute: () => root,
      path: "/",
      component: HomeScreen,
      validateSearch,
      loader: ({ context }) => readAhead(context.queries),
    }),
    screen(
      "/search",
      lazyScreen(() => import("#web/features/search/route.tsx"), "SearchScreen"),
    ),
    entityRoutes(),
    screen(
      "/lineage",
      lazyScreen(() => import("#web/features/lineage/route.tsx"), "LineageScreen"),
    ),
    screen(
      "/alerts",
      lazyScreen(() => import("#web/features/alerts/route.tsx"), "AlertsScreen"),
    ),
    screen(
      "/alerts/deliveries",
      lazyScreen(() => import("#web/features/alerts/deliveries.tsx"), "DeliveriesScreen"),
    ),
    screen(
      "/alerts/silences",
      lazyScreen(() => import("#web/features/alerts/silences.tsx"), "SilencesScreen"),
    ),
    screen(
      "/activity",
      lazyScreen(() => import("#web/features/activity/route.tsx"), "ActivityScreen"),
    ),
    screen(
      "/quality",
      lazyScreen(() => import("#web/features/quality/route.tsx"), "QualityScreen"),
    ),
    screen(
      "/terms",
      lazyScreen(() => import("#web/features/glossary/route.tsx"), "GlossaryScreen"),
    ),
    screen(
      "/terms/$id",
      lazyScreen(() => import("#web/features/glossary/term.tsx"), "TermScreen"),
    ),
    screen(
      "/terms/$id/$tab",
      lazyScreen(() => import("#web/features/glossary/term.tsx"), "TermScreen"),
    ),
    screen(
      "/queryexamples",
      lazyScreen(
        () => import("#web/features/query-examples/route.tsx"),
        "QueryExamplesScreen",
      ),
    ),
    screen(
      "/queryexamples/$id",
      lazyScreen(
        () => import("#web/features/query-examples/example.tsx"),
        "QueryExampleScreen",
      ),
    ),
    screen(
      "/lookup-tables",
      lazyScreen(
        () => import("#web/features/lookup-tables/route.tsx"),
        "LookupTablesScreen",
      ),
    ),
    screen(
      "/relationships",
      lazyScreen(
        () => import("#web/features/relationships/route.tsx"),
        "RelationshipsScreen",
      ),
    ),
    screen(
      "/directory",
      lazyScreen(() => import("#web/features/directory/route.tsx"), "DirectoryScreen"),
    ),
    screen(
      "/owners/$id",
      lazyScreen(() => import("#web/features/owner/route.tsx"), "OwnerScreen"),
    ),
    screen(
      "/management/$section",
      lazyScreen(() => import("#web/features/management/route.tsx"), "ManagementScreen"),
    ),
    screen(
      "/operations",
      lazyScreen(() => import("#web/features/operations/route.tsx"), "OperationsScreen"),
    ),
    screen("/ask", lazyScreen(() => import("#web/features/ask/route.tsx"), "AskScreen")),
    createRoute({
      getParentRoute: () => root,
      path: "/management",
      beforeLoad: () => {
        throw redirect({ to: "/management/sources", replace: true } as never);
      },
    }),
  ] as const;
}

/** The page of one entity: a frame with a tab for each aspect. */
// deno-lint-ignore house/function-length -- one table, read from top to bottom
function entityRoutes() {
  const frame = createRoute({
    getParentRoute: () => root,
    path: "/dataentities/$id",
    component: lazyScreen(() => import("#web/features/entity/frame.tsx"), "EntityFrame"),
    validateSearch,
  });
  const tab = <P extends string>(path: P, component: ReturnType<typeof lazyScreen>) =>
    createRoute({ getParentRoute: () => frame, path, component, validateSearch });
  return frame.addChildren([
    createRoute({
      getParentRoute: () => frame,
      path: "/",
      beforeLoad: ({ params }) => {
        throw redirect({ to: "/dataentities/$id/overview", params, replace: true } as never);
      },
    }),
    tab(
      "overview",
      lazyScreen(() => import("#web/features/entity/overview.tsx"), "OverviewTab"),
    ),
    tab(
      "structure",
      lazyScreen(() => import("#web/features/structure/route.tsx"), "StructureTab"),
    ),
    tab(
      "lineage",
      lazyScreen(() => import("#web/features/lineage/route.tsx"), "LineageTab"),
    ),
    tab(
      "tests",
      lazyScreen(() => import("#web/features/quality/tests-tab.tsx"), "TestsTab"),
    ),
    tab(
      "history",
      lazyScreen(() => import("#web/features/quality/history-tab.tsx"), "HistoryTab"),
    ),
    tab(
      "alerts",
      lazyScreen(() => import("#web/features/alerts/entity-tab.tsx"), "AlertsTab"),
    ),
    tab(
      "activity",
      lazyScreen(() => import("#web/features/activity/entity-tab.tsx"), "ActivityTab"),
    ),
    tab(
      "discussions",
      lazyScreen(
        () => import("#web/features/discussions/entity-tab.tsx"),
        "DiscussionsTab",
      ),
    ),
    tab(
      "queries",
      lazyScreen(() => import("#web/features/query-examples/entity-tab.tsx"), "QueriesTab"),
    ),
    tab(
      "linked",
      lazyScreen(() => import("#web/features/entity/linked-tab.tsx"), "LinkedTab"),
    ),
    tab(
      "relationships",
      lazyScreen(
        () => import("#web/features/relationships/entity-tab.tsx"),
        "RelationshipsTab",
      ),
    ),
    tab(
      "data",
      lazyScreen(() => import("#web/features/lookup-tables/data-tab.tsx"), "DataTab"),
    ),
  ]);
}

/** A screen that is loaded when somebody goes to it, or is about to. */
function lazyScreen<M extends object>(load: () => Promise<M>, name: keyof M & string) {
  return lazyRouteComponent(async () => {
    try {
      const [screen] = await Promise.all([load(), loadRest()]);
      return screen;
    } catch (cause) {
      throw new ChunkLoadError(cause);
    }
  }, name as never);
}

/** Search parameters are strings; each screen reads its own (`kit/search-params.ts`). */
function validateSearch(search: Record<string, unknown>): Record<string, string | undefined> {
  return search as Record<string, string | undefined>;
}
