import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/directory/queries.ts";
import { sourceProperties, systemName } from "#services/api/features/directory/systems.ts";
import { staleDays } from "#services/api/stale.ts";

type Deps = Pick<Context, "db" | "config">;

/** The systems whose data sources are registered, by name (DataSourceTypeList). */
export async function listSystems({ db }: Deps) {
  const found = await queries.systemCounts(db);
  const items = found.map(({ system, entities }) => ({
    prefix: system,
    name: systemName(system),
    entities_count: entities,
  }));
  return { items: items.sort((a, b) => a.name.localeCompare(b.name, "en")) };
}

/** The data sources of one system (DataSourceDirectoryList); empty for an unknown system. */
export async function listSources({ db }: Deps, prefix: string) {
  const items = (await queries.sourcesOf(db, prefix)).map((source) => ({
    id: source.id,
    name: source.name,
    properties: sourceProperties(source.catrn),
    entities_count: source.entities,
  }));
  return { items, entities_count: items.reduce((sum, item) => sum + item.entities_count, 0) };
}

/** The types of the listed entities of a source; DataEntityTypeList as JSON text. Throws 404. */
export async function listTypes({ db }: Deps, id: number): Promise<string> {
  const json = await queries.typesOf(db, id);
  if (json === undefined) throw notFound("Data source", id);
  return json;
}

/** One page of the listed entities of a source; DataSourceEntityList as JSON text. Throws 404. */
export async function listEntities(
  { db, config }: Deps,
  id: number,
  query: PageQuery & { type_id?: number },
): Promise<string> {
  const stale = staleDays({ config });
  const json = await queries.entitiesOf(db, id, query.type_id, pageWindow(query), stale);
  if (json === undefined) throw notFound("Data source", id);
  return json;
}
