import type { Context } from "#platform/context.ts";
import { ok, type Reply, type Route, serve } from "#platform/operations/declare.ts";
import * as specs from "#services/api/features/ops/operations.ts";
import { Ops } from "#services/api/features/ops/service.ts";

/** The operations that show operators the status of an instance, and repair it; `stop` ends background work. */
export function opsRoutes(context: Context): { routes: Route[]; stop: () => void } {
  const ops = new Ops(context);
  const routes = [
    serve(specs.summarySpec, async () => ok(await ops.summary.read())),
    serve(specs.slowStatementsSpec, async () => ok(await ops.slowStatements.list())),
    serve(specs.backupSpec, async () => ok({ ...await ops.backups.status() })),
    serve(specs.bundleSpec, async ({ actor }) => archive(await ops.bundle(actor))),
    serve(specs.enginesSpec, async () => ok(await ops.engines())),
    serve(specs.workersSpec, async () => ok(await ops.workers.list())),
    serve(specs.lagSpec, async () => ok(await ops.lag())),
    serve(specs.historySpec, async () => ok(await ops.history.read())),
    serve(specs.slotSpec, async () => ok(await ops.slot())),
    serve(specs.projectionSpec, async () => ok(await ops.projection())),
    serve(specs.verifySpec, async ({ actor }) => ok(await ops.verify(actor))),
    serve(specs.deadLettersSpec, async ({ query }) => ok(await ops.deadLetters.list(query))),
    serve(specs.replaySpec, async ({ body, actor }) => {
      return ok(await ops.deadLetters.replay(actor, body));
    }),
    serve(specs.dropSpec, async ({ body, actor }) => ok(await ops.deadLetters.drop(actor, body))),
  ];
  return { routes, stop: () => ops.stop() };
}

function archive(content: Uint8Array): Reply {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const name = `tributary-support-${stamp}.tar.gz`;
  return {
    status: 200,
    raw: { content, contentType: "application/gzip" },
    headers: { "content-disposition": `attachment; filename="${name}"` },
  };
}
