import { recordMetrics } from "#metadata/metrics.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import { okJson, type Route, serve } from "#platform/http/operation.ts";
import { alertBodies, AlertRouter } from "./alert-router.ts";
import type { BodyName } from "./bodies.ts";
import { registerDataSources } from "./datasources.ts";
import { ingestionFault } from "./fault.ts";
import { BatchIntake } from "./intake.ts";
import { membersOf } from "./members.ts";
import * as operations from "./operations.ts";
import { Outcomes } from "./outcomes.ts";
import { PreparePool } from "./prepare-pool.ts";
import { ProjectionWait } from "./projection.ts";
import { recordStatistics } from "./statistics.ts";

export interface IngestionOptions {
  /** Batches awaited at once (1,000 unless told); later ones are answered `queued`. */
  maxWaiters?: number;
  /** Milliseconds between two looks for outcomes (250 unless told). */
  pollMs?: number;
}

/** The ingestion family: its routes, and what ends its waiting and its threads. */
export interface IngestionFeature {
  routes: Route[];
  /** Answers whoever waits (`queued`, or `stored` once committed); idempotent. */
  stop(): void;
}

export function ingestionRoutes(
  context: Context,
  options: IngestionOptions = {},
): IngestionFeature {
  const { db, clock, config } = context;
  const timeoutMs = config.server["body-timeout"];
  const maxBytes = config.ingestion["max-body-size"];
  const reader = new BodyReader({ maxBytes, timeoutMs, tooLarge: ingestionFault });
  const pool = new PreparePool(context.metrics);
  const outcomes = new Outcomes({ ...context, ...options });
  const projection = new ProjectionWait({ ...context, ...options });
  const intake = new BatchIntake({ context, reader, pool, outcomes, projection });
  const alertReader = alertBodies(timeoutMs);
  const alerts = new AlertRouter(context);
  const read = <N extends BodyName>(request: Request, name: N) =>
    reader.read(request, (body) => pool.read(name, body));
  const routes = [
    serve(operations.postDataEntityList, ({ request }) => intake.accept(request)),
    serve(operations.createDataSource, async ({ request }) => {
      const list = await read(request, "datasources");
      await registerDataSources(db, list, request.headers.get("authorization"));
      return { status: 200 };
    }),
    serve(operations.postDataSetStatsList, async ({ request }) => {
      await recordStatistics(db, await read(request, "statistics"));
      return { status: 201 };
    }),
    serve(operations.ingestMetrics, async ({ request }) => {
      await recordMetrics(db, await read(request, "metrics"), clock.now());
      return { status: 201 };
    }),
    serve(operations.routeAlerts, async ({ request }) => {
      const list = await alertReader.read(request, (body) => pool.read("alerts", body));
      await alerts.take(list.alerts ?? []);
      return { status: 200 };
    }),
    serve(
      operations.getDataEntitiesByDEGCatrn,
      async ({ params }) => okJson(await membersOf(context, params.degCatrn)),
    ),
    serve(
      operations.getDataEntitiesByGroupQuery,
      async ({ query }) => okJson(await membersOf(context, query.catrn ?? query.oddrn ?? "")),
    ),
  ];
  const stop = () => {
    outcomes.stop();
    projection.stop();
    pool.stop();
  };
  return { routes, stop };
}
