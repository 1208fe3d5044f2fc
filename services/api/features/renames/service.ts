import type { Actor } from "#contract/actor.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import { carryOver } from "#metadata/catalogue/carry-over.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import type { Context } from "#platform/context.ts";
import { getConnection } from "#services/api/features/connections/service.ts";
import { staleDays } from "#services/api/stale.ts";
import * as queries from "./queries.ts";

type Deps = Pick<Context, "db" | "log" | "clock" | "config">;

/** RenameOfferList of a connection as JSON text. Throws 404. */
export async function listRenames(
  deps: Deps,
  connection: number,
  page: PageQuery,
): Promise<string> {
  await getConnection(deps, connection);
  return await queries.renameList(deps.db, connection, pageWindow(page), staleDays(deps));
}

export type RenameDecision = "CARRIED_OVER" | "DISMISSED";

/**
 * Decides about an offer: carries what people wrote over to the successor, or drops the offer. Throws 404 for one that is
 * decided already, or whose assets are not as they were.
 */
export async function decideRename(
  deps: Deps,
  actor: Actor,
  { successor, id, decision }: { successor: number; id: number; decision: RenameDecision },
): Promise<void> {
  await changing(deps, actor, async (change) => {
    const { tx } = change;
    const offered = await queries.openRename(tx, id, successor);
    if (!offered) throw notFound("Rename", id);
    await lockEntities(tx, [offered.old_id, offered.new_id]);
    // It may have been decided while the rows were locked.
    if (!await queries.openRename(tx, id, successor)) throw notFound("Rename", id);
    const now = new Date(deps.clock.now());
    await queries.decideRename(tx, id, decision, actor.name, now);
    if (decision === "CARRIED_OVER") {
      await carryOver(change, [{ from: offered.old_id, to: offered.new_id, grants: true }]);
    }
    change.audit(`RENAME_${decision}`, `${offered.old_catrn} to ${offered.new_catrn}`);
  });
}
