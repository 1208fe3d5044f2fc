import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
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
  const screen = <P extends string, M extends object>(path: P, ...file: ScreenFile<M>) =>
    createRoute({ getParentRoute: () => root, path, ...lazyScreen(...file) });
  return [
    createRoute({
      getParentRoute: () => root,
      path: "/",
      component: HomeScreen,
      validateSearch,
      loader: ({ context }) => readAhead(context.queries),
    }),
    screen("/search", () => import("#web/features/search/route.tsx"), "SearchScreen"),
    entityRoutes(),
    screen("/lineage", () => import("#web/features/lineage/route.tsx"), "LineageScreen"),
    screen("/alerts", () => import("#web/features/alerts/route.tsx"), "AlertsScreen"),
    screen(
      "/alerts/deliveries",
      () => import("#web/features/alerts/deliveries.tsx"),
      "DeliveriesScreen",
    ),
    screen("/alerts/silences", () => import("#web/features/alerts/silences.tsx"), "SilencesScreen"),
    screen("/activity", () => import("#web/features/activity/route.tsx"), "ActivityScreen"),
    screen("/quality", () => import("#web/features/quality/route.tsx"), "QualityScreen"),
    screen("/terms", () => import("#web/features/glossary/route.tsx"), "GlossaryScreen"),
    screen("/terms/$id", () => import("#web/features/glossary/term.tsx"), "TermScreen"),
    screen("/terms/$id/$tab", () => import("#web/features/glossary/term.tsx"), "TermScreen"),
    screen(
      "/queryexamples",
      () => import("#web/features/query-examples/route.tsx"),
      "QueryExamplesScreen",
    ),
    screen(
      "/queryexamples/$id",
      () => import("#web/features/query-examples/example.tsx"),
      "QueryExampleScreen",
    ),
    screen(
      "/lookup-tables",
      () => import("#web/features/lookup-tables/route.tsx"),
      "LookupTablesScreen",
    ),
    screen(
      "/relationships",
      () => import("#web/features/relationships/route.tsx"),
      "RelationshipsScreen",
    ),
    screen("/directory", () => import("#web/features/directory/route.tsx"), "DirectoryScreen"),
    screen("/owners/$id", () => import("#web/features/owner/route.tsx"), "OwnerScreen"),
    screen(
      "/management/$section",
      () => import("#web/features/management/route.tsx"),
      "ManagementScreen",
    ),
    screen("/operations", () => import("#web/features/operations/route.tsx"), "OperationsScreen"),
    screen("/ask", () => import("#web/features/ask/route.tsx"), "AskScreen"),
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
function entityRoutes() {
  const frame = createRoute({
    getParentRoute: () => root,
    path: "/dataentities/$id",
    ...lazyScreen(() => import("#web/features/entity/frame.tsx"), "EntityFrame"),
  });
  const tab = <P extends string, M extends object>(path: P, ...file: ScreenFile<M>) =>
    createRoute({ getParentRoute: () => frame, path, ...lazyScreen(...file) });
  return frame.addChildren([
    createRoute({
      getParentRoute: () => frame,
      path: "/",
      beforeLoad: ({ params }) => {
        throw redirect({ to: "/dataentities/$id/overview", params, replace: true } as never);
      },
    }),
    tab("overview", () => import("#web/features/entity/overview.tsx"), "OverviewTab"),
    tab("structure", () => import("#web/features/structure/route.tsx"), "StructureTab"),
    tab("lineage", () => import("#web/features/lineage/route.tsx"), "LineageTab"),
    tab("tests", () => import("#web/features/quality/tests-tab.tsx"), "TestsTab"),
    tab("history", () => import("#web/features/quality/history-tab.tsx"), "HistoryTab"),
    tab("alerts", () => import("#web/features/alerts/entity-tab.tsx"), "AlertsTab"),
    tab("activity", () => import("#web/features/activity/entity-tab.tsx"), "ActivityTab"),
    tab("discussions", () => import("#web/features/discussions/entity-tab.tsx"), "DiscussionsTab"),
    tab("queries", () => import("#web/features/query-examples/entity-tab.tsx"), "QueriesTab"),
    tab("linked", () => import("#web/features/entity/linked-tab.tsx"), "LinkedTab"),
    tab(
      "relationships",
      () => import("#web/features/relationships/entity-tab.tsx"),
      "RelationshipsTab",
    ),
    tab("data", () => import("#web/features/lookup-tables/data-tab.tsx"), "DataTab"),
  ]);
}

/** The file of a screen, and the name of the screen in it. */
type ScreenFile<M extends object> = [load: () => Promise<M>, name: keyof M & string];

/** A screen that is loaded when somebody goes to it, or is about to. */
function lazyScreen<M extends object>(...[load, name]: ScreenFile<M>) {
  const component = lazyRouteComponent(async () => {
    try {
      const [screen] = await Promise.all([load(), loadRest()]);
      return screen;
    } catch (cause) {
      throw new ChunkLoadError(cause);
    }
  }, name as never);
  return { component, validateSearch };
}

/** Search parameters are strings; each screen reads its own (`kit/search-params.ts`). */
function validateSearch(search: Record<string, unknown>): Record<string, string | undefined> {
  return search as Record<string, string | undefined>;
}
