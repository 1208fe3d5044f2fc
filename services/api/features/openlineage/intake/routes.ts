import type { Context } from "#platform/context.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import * as operations from "./operations.ts";
import { LineageIntake } from "./service.ts";

/** The operations that clients of OpenLineage post to; `stop` ends what runs in the background. */
export function lineageIntakeRoutes(context: Context): { routes: Route[]; stop: () => void } {
  const intake = new LineageIntake(context);
  const off = context.config.openlineage.enabled
    ? {}
    : { off: "OpenLineage is switched off (openlineage.enabled)" };
  const routes = [
    { ...serve(operations.postLineage, ({ request }) => intake.event(request)), ...off },
    { ...serve(operations.postLineageBatch, ({ request }) => intake.batch(request)), ...off },
  ];
  return { routes, stop: () => intake.stop() };
}
