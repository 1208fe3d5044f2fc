import type { Context } from "#platform/context.ts";
import { cursorOf, isAfter } from "#services/api/features/changes/cursor.ts";
import {
  eventText,
  type Filter,
  placeText,
  toldOf,
  wants,
} from "#services/api/features/changes/events.ts";
import { positionMs } from "#services/api/features/changes/feed.ts";
import type { Following } from "#services/api/features/changes/limits.ts";
import { type Page, readAfter, readNewest } from "#services/api/features/changes/queries.ts";

type Tools = Pick<Context, "db" | "graph" | "clock" | "log">;

/**
 * What has happened since the event `last`, which is told at once; of very much the beginning. The last id is the place
 * from which to ask again.
 */
export async function readOnce(
  tools: Tools,
  filter: Filter,
  last: string | undefined,
  { portion, portionsBehind }: Pick<Following, "portion" | "portionsBehind">,
): Promise<string> {
  const { db } = tools;
  const known = last === undefined ? undefined : cursorOf(last);
  let page = known ? await readAfter(db, known, portion) : await readNewest(db, 1);
  if (!known) {
    const { position } = page;
    const reset = last === undefined ? "" : await resetAt(tools, page);
    return `${placeText(position)}${reset}${await projection(tools, filter, position)}`;
  }
  if (!page.oldest || isAfter(page.oldest, known) || known.xid > page.next) {
    const now = await readNewest(db, 1);
    return `${await resetAt(tools, now)}${await projection(tools, filter, now.position)}`;
  }
  let told = "";
  for (let n = 1;; n++) {
    told += toldOf(page.rows).filter((one) => wants(filter, one)).map(({ text }) => text).join("");
    if (!page.full || n === portionsBehind) break;
    page = await readAfter(db, page.position, portion);
  }
  const place = isAfter(known, page.position) ? known : page.position;
  return `${told}${placeText(place)}${await projection(tools, filter, place)}`;
}

function resetAt({ clock }: Tools, { position }: Page): string {
  return eventText({ kind: "reset", at: new Date(clock.now()).toISOString() }, position);
}

/** Where the lineage is; "" when nobody wants to know, or the graph is down. */
async function projection(
  { graph, clock, log }: Tools,
  { types }: Filter,
  at: Page["position"],
): Promise<string> {
  if (types.length > 0 && !types.includes("projection")) return "";
  try {
    const position = await graph.position(positionMs);
    return eventText({ kind: "projection", at: new Date(clock.now()).toISOString(), position }, at);
  } catch (error) {
    log.debug("the position of the lineage is not known", { error });
    return "";
  }
}
