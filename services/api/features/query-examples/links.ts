import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/query-examples/links.queries.ts";
import type { LinkTarget } from "#services/api/features/query-examples/queries.ts";
import { maxLinks } from "#services/api/features/query-examples/schemas.ts";
import { lockTerm } from "#services/api/features/terms/service.ts";
import { staleDays } from "#services/api/stale.ts";

type Deps = Pick<Context, "db" | "config">;

const field = "query_example_id";
const named: Record<LinkTarget, string> = { entity: "data entity", term: "term" };

/**
 * Attaches a query example to a thing; QueryExample as JSON text. Throws 404, and 400 when it is attached
 * already (USR003) or either of the two has as many as it may.
 */
export function attach(
  context: Deps,
  actor: Actor,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockBoth(tx, kind, thing, example);
    const before = await queries.linkCounts(tx, kind, thing, example);
    if (!await queries.attach(tx, kind, thing, example)) {
      const message = `Query example ${example} is attached to ${named[kind]} ${thing} already`;
      throw conflict(message, [{ field, message: "must not be attached yet" }]);
    }
    refuseMore(kind, before);
    return await queries.exampleJson(tx, example, staleDays(context));
  });
}

function refuseMore(kind: LinkTarget, { things, examples }: { things: number; examples: number }) {
  const full = things >= maxLinks
    ? `The query example has ${maxLinks} links of this kind`
    : examples >= maxLinks
    ? `The ${named[kind]} has ${maxLinks} query examples`
    : undefined;
  if (full) throw badRequest(full, [{ field, message: `${full}: the most there may be` }]);
}

/** Takes a query example from a thing; nothing happens when it is not attached. Throws 404 when either is unknown. */
export function detach(
  context: Deps,
  actor: Actor,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockBoth(tx, kind, thing, example);
    await queries.detach(tx, kind, thing, example);
  });
}

/** Locks the thing, then the example: the order of everything that touches both. */
async function lockBoth(tx: Transaction, kind: LinkTarget, thing: number, example: number) {
  if (kind === "entity") await lockEntity(tx, thing);
  else if (!await lockTerm(tx, thing, "change")) throw notFound("Term", thing);
  if (!await queries.lockExample(tx, example)) throw notFound("Query example", example);
}
