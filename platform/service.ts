import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import type { Fallback, Page } from "#platform/http/pages.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Route } from "#platform/operations/declare.ts";

/** The parts that a service contributes once its context is open. */
export interface RunningService {
  workers: Worker[];
  routes: Route[];
  pages?: Page[];
  /** For paths that nothing else serves. */
  fallback?: Fallback;
  /** Authenticates and authorizes callers; everyone may do everything when no service of the process provides it. */
  access?: AccessControl;
  /** Refuses new work and answers waiting requests; called before anything is stopped. */
  drain?: () => Promise<void>;
}

/** A service, as the composition root sees it. */
export interface Service {
  name: string;
  create(context: Context): RunningService;
}
