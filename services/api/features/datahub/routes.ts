import { parseLeniently } from "#contract/openlineage/json.ts";
import type { Context } from "#platform/context.ts";
import { objectOf } from "#platform/datahub/values.ts";
import { BodyReader } from "#platform/http/body.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { maxReadBytes } from "./bounds.ts";
import { configOf } from "./config.ts";
import { AspectIntake } from "./intake.ts";
import * as operations from "./operations.ts";
import * as reads from "./reads.ts";

/** The interface of DataHub's server that its collectors use; `stop` ends what runs in the background. */
export function datahubRoutes(context: Context): { routes: Route[]; stop: () => void } {
  const { db, config } = context;
  const intake = new AspectIntake(context);
  const timeoutMs = config.server["body-timeout"];
  const questions = new BodyReader({ maxBytes: maxReadBytes, timeoutMs });
  const routes = [
    serve(operations.getConfig, () => Promise.resolve(ok(configOf()))),
    serve(operations.postAspects, async ({ query: { action }, request, actor }) => {
      if (action !== "getTimeseriesAspectValues") return intake.ingest(request, action, actor);
      return await questions.read(
        request,
        async (body) => ok(await reads.readEntries(db, objectOf(parseLeniently(body)) ?? {})),
      );
    }),
    serve(
      operations.getAspect,
      async ({ params, query }) => ok(await reads.readAspect(db, params.urn, query.aspect)),
    ),
    serve(
      operations.postEntities,
      ({ query: { action }, request, actor }) => intake.ingest(request, action, actor),
    ),
    serve(
      operations.getEntity,
      async ({ params, query }) => ok(await reads.entityV2(db, params.urn, namesOf(query.aspects))),
    ),
    serve(
      operations.listEntities,
      async ({ params }) => ok(await reads.entitiesOfType(db, params.type)),
    ),
    serve(
      operations.batchGet,
      ({ request }) =>
        questions.read(
          request,
          async (body) => ok(await reads.batchOfEntities(db, parseLeniently(body))),
        ),
    ),
    serve(
      operations.getEntityV3,
      async ({ params, query }) => ok(await reads.entityV3(db, params.urn, namesOf(query.aspects))),
    ),
  ];
  const off = config.datahub.enabled ? {} : { off: "DataHub is switched off (datahub.enabled)" };
  return { routes: routes.map((route) => ({ ...route, ...off })), stop: () => intake.stop() };
}

/** `List(a,b)`, `a,b` or several parameters; null for all. */
function namesOf(given: string | string[] | undefined): string[] | null {
  if (given === undefined) return null;
  const texts = Array.isArray(given) ? given : [given];
  return texts.flatMap((text) => text.replace(/^List\((.*)\)$/, "$1").split(","))
    .map((name) => name.trim()).filter((name) => name !== "");
}
