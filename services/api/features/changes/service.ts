import type { Context } from "#platform/context.ts";
import {
  cursorOf,
  eventText,
  type Filter,
  isAfter,
  messagesOf,
  type Page,
  placeText,
  readAfter,
  readNewest,
  wants,
} from "#services/api/features/changes/events.ts";
import { positionMs } from "#services/api/features/changes/feed.ts";
import type { FollowLimits } from "#services/api/features/changes/limits.ts";

export { ChangeHub } from "#services/api/features/changes/hub.ts";

type Deps = Pick<Context, "db" | "graph" | "clock" | "log">;

/**
 * Everything since the event `last`, in one response; if that is too much, its beginning. The last id is the cursor
 * from which to ask again.
 */
export async function readOnce(
  deps: Deps,
  filter: Filter,
  last: string | undefined,
  { portion, portionsBehind }: Pick<FollowLimits, "portion" | "portionsBehind">,
): Promise<string> {
  const { db } = deps;
  const known = last === undefined ? undefined : cursorOf(last);
  let page = known ? await readAfter(db, known, portion) : await readNewest(db, 1);
  if (!known) {
    const { position } = page;
    const reset = last === undefined ? "" : resetAt(deps, page);
    return `${placeText(position)}${reset}${await projection(deps, filter, position)}`;
  }
  if (!page.oldest || isAfter(page.oldest, known) || known.xid > page.next) {
    const now = await readNewest(db, 1);
    return `${resetAt(deps, now)}${await projection(deps, filter, now.position)}`;
  }
  let body = "";
  for (let n = 1;; n++) {
    const wanted = messagesOf(page.rows).filter((one) => wants(filter, one));
    body += wanted.map(({ text }) => text).join("");
    if (!page.full || n === portionsBehind) break;
    page = await readAfter(db, page.position, portion);
  }
  const place = isAfter(known, page.position) ? known : page.position;
  return `${body}${placeText(place)}${await projection(deps, filter, place)}`;
}

function resetAt({ clock }: Deps, { position }: Page): string {
  return eventText({ kind: "reset", at: new Date(clock.now()).toISOString() }, position);
}

/** Where the lineage is; "" when nobody wants to know, or the graph is down. */
async function projection(
  { graph, clock, log }: Deps,
  { types }: Filter,
  at: Page["position"],
): Promise<string> {
  if (types.length > 0 && !types.includes("projection")) return "";
  try {
    const position = await graph.position(positionMs);
    return eventText({ kind: "projection", at: new Date(clock.now()).toISOString(), position }, at);
  } catch (error) {
    log.debug("position of the lineage is unknown", { error });
    return "";
  }
}
