import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { RenameOfferList } from "#contract/catalogue/entity.ts";
import { idParam, type PageQuery, pageQueryWithDefaults, pageWindow } from "#contract/http.ts";
import { requireFound } from "#kit/errors.ts";
import { carryOver } from "#metadata/catalogue/carry-over.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { connectionJson } from "#services/api/features/connections/service.ts";
import { listOfFound } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

const listSpec = operation({
  id: "getConnectionRenames",
  method: "get",
  path: "/api/connections/{connection_id}/renames",
  tag: "connection",
  summary: "What the connection finds under another name, probably; nothing is carried over yet",
  access: { permission: "CONNECTION_VIEW", on: "MANAGEMENT" },
  params: z.object({ connection_id: idParam("connection_id") }),
  query: z.object(pageQueryWithDefaults),
  responses: { 200: { description: "One page", schema: RenameOfferList } },
});

const decisions = ([
  [
    "carry-over",
    "CARRIED_OVER",
    "carryOverRename",
    "Take what people wrote on the former asset over to this one",
  ],
  [
    "dismiss",
    "DISMISSED",
    "dismissRename",
    "Drop the offer: this is not the former asset under another name",
  ],
] as const).map(([path, decision, id, summary]) => ({
  decision,
  spec: operation({
    id,
    method: "post",
    path: `/api/dataentities/{data_entity_id}/renames/{rename_id}/${path}`,
    tag: "dataEntity",
    summary,
    access: { permission: "DATA_ENTITY_CARRY_OVER", on: "DATA_ENTITY", of: entityOfPath },
    activity: { none: "it is audited; what is carried over is on the feed of the former asset" },
    params: z.object({
      data_entity_id: idParam("data_entity_id"),
      rename_id: idParam("rename_id"),
    }),
    responses: { 204: { description: "Decided" } },
  }),
}));

/** The operations on renames in a source. */
export function renameRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ params, query }) => listRenames(context, params.connection_id, query)),
    ...decisions.map(({ decision, spec }) =>
      serve(spec, ({ params: { data_entity_id: successor, rename_id: id }, actor }) => {
        return decideRename(context, actor, { successor, id, decision });
      })
    ),
  ];
}

type Deps = Pick<Context, "db" | "log" | "clock" | "config">;

const list = statement<JsonRow>("rename-list")`
  WITH found AS (SELECT r, r.id FROM open_rename r WHERE r.connection_id = $1)
  ${listOfFound({ each: "json_rename(r, $4)", by: "id", window: ["$2", "$3"] })}`;

/** One page of the renames of a connection, the oldest first; RenameOfferList as JSON text. Throws 404. */
async function listRenames(deps: Deps, connection: number, page: PageQuery): Promise<string> {
  await connectionJson(deps.db, connection);
  const { limit, offset } = pageWindow(page);
  return (await deps.db.query(list, [connection, limit, offset, staleDays(deps)]))[0]!.json;
}

type RenameDecision = "CARRIED_OVER" | "DISMISSED";

/**
 * Decides about an offer: carries what people wrote over to the successor, or drops the offer. Throws 404 for one that is
 * decided already, or whose assets are not as they were.
 */
async function decideRename(
  deps: Deps,
  actor: Actor,
  { successor, id, decision }: { successor: number; id: number; decision: RenameDecision },
): Promise<void> {
  await changing(deps, actor, async (change) => {
    const { tx } = change;
    const openOffer = async () => {
      return requireFound(await tx.query(openRename, [id, successor]), "Rename", id);
    };
    const offered = await openOffer();
    await lockEntities(tx, [offered.old_id, offered.new_id]);
    // It may have been decided while the rows were locked.
    await openOffer();
    await tx.query(decide, [id, decision, actor.name, new Date(deps.clock.now())]);
    if (decision === "CARRIED_OVER") {
      await carryOver(change, [{ from: offered.old_id, to: offered.new_id, grants: true }]);
    }
    change.audit(`RENAME_${decision}`, `${offered.old_catrn} to ${offered.new_catrn}`);
  });
}

/** The offer $1 to the successor $2, if it can be decided. */
const openRename = statement<
  { old_id: number; new_id: number; old_catrn: string; new_catrn: string }
>("rename-open")`
  SELECT r.old_id, r.new_id, o.catrn AS old_catrn, n.catrn AS new_catrn
    FROM open_rename r JOIN data_entity o ON o.id = r.old_id JOIN data_entity n ON n.id = r.new_id
   WHERE r.id = $1 AND r.new_id = $2`;

const decide = statement("rename-decide")`
  UPDATE rename_offer SET decision = $2, decided_by = $3, decided_at = $4 WHERE id = $1 AND decision IS NULL`;
