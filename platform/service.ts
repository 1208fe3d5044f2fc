import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import type { Page } from "#platform/http/app.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Route } from "#platform/operations/declare.ts";

/** What a service puts to work once its context is open. */
export interface RunningService {
  workers: Worker[];
  routes: Route[];
  pages?: Page[];
  /** Who may call the routes; everyone may where no service of the process decides. */
  authorizer?: Authorizer;
  /** Refuses new work and answers whoever waits; called before anything is stopped. */
  drain?: () => Promise<void>;
}

/** A service as the composition root knows it. */
export interface Service {
  name: string;
  create(context: Context): RunningService;
}
