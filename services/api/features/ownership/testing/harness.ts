import { expect } from "vitest";
import { Activity } from "#contract/catalogue/activity.ts";
import { Ownership } from "#contract/catalogue/people.ts";
import { activityRoutes } from "#services/api/features/activity/routes.ts";
import { ownershipRoutes } from "#services/api/features/ownership/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

/** Ownerships under test, with the feed that records them. Call it at the top of a test file. */
export function ownershipUnderTest() {
  const { api, database } = featureUnderTest((context) => [
    ...ownershipRoutes(context),
    ...activityRoutes(context),
  ]);

  const pathOf = (entity: number, id?: number) =>
    `/api/dataentities/${entity}/ownership${id === undefined ? "" : `/${id}`}`;
  const give = async (entity: number, owner_name: string, more: object = {}) => {
    const answer = await api.post(pathOf(entity), { owner_name, ...more });
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    return Ownership.parse(answer.json);
  };
  /** Owners of an entity, `name` or `name (title)`. */
  const ownersOf = async (id: number) =>
    (await database.db.query<{ o: string }>(
      `SELECT w.name || coalesce(' (' || t.name || ')', '') AS o
         FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
        WHERE o.entity_id = $1 ORDER BY o.id`,
      [id],
    )).map(({ o }) => o);
  /** The feed of an entity, the oldest first: event, owners before, owners after. */
  const activities = async (id: number) => {
    const period = "begin_date=2020-01-01T00:00:00Z&end_date=2100-01-01T00:00:00Z&size=100";
    const { json } = await api.get(`/api/dataentities/${id}/activity?${period}`);
    const owners = (state: Activity["old_state"]) =>
      state.ownerships!.map((o) =>
        o.title_name ? `${o.owner_name} (${o.title_name})` : o.owner_name
      );
    return json.map((one: unknown) => Activity.parse(one)).toReversed()
      .map((e: Activity) => [e.event_type, owners(e.old_state), owners(e.new_state)]);
  };
  const found = async (word: string) =>
    (await database.db.query<{ id: number }>(
      "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1)",
      [word],
    )).map(({ id }) => id);
  return { api, database, pathOf, give, ownersOf, activities, found };
}
