import { AppError, badRequest, notFound } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { valueOf } from "#platform/datahub/aspect-state.ts";
import { classOfAspect, timeseriesAspects } from "#platform/datahub/aspects.ts";
import { stateOf } from "#platform/datahub/store.ts";
import {
  anyOfType,
  aspectsNamed,
  aspectsOf,
  newestEntries,
} from "#platform/datahub/store.queries.ts";
import {
  integerOf,
  objectOf,
  objectsOf,
  type RawObject,
  textOf,
  textsOf,
} from "#platform/datahub/values.ts";
import { parseUrn } from "#platform/naming/datahub/urn.ts";
import { maxEntries, maxProposals } from "./bodies.ts";

/** What clients ask of stored aspects before they write. Everything is answered from the state, or with 404. */

/** An aspect under the name of its class. Throws 404 where there is none. */
export async function readAspect(db: Database, urn: string, aspect: string): Promise<RawObject> {
  const value = await valueNamed(db, urn, aspect);
  const name = classOfAspect(aspect) ?? aspect;
  return { version: 0, aspect: { [name]: value } };
}

async function valueNamed(db: Database, urn: string, aspect: string): Promise<unknown> {
  const [row] = await db.query(aspectsNamed, [[urn], [aspect]]);
  const value = row && valueOf(stateOf(row));
  if (value === undefined) throw notFound("Aspect", `${aspect} of ${urn}`);
  return value;
}

/** Names of aspects, as query parameters give them. */
type AspectNames = string | string[] | undefined;

/** `List(a,b)`, `a,b` or several parameters; null for all. */
function namesOf(given: AspectNames): string[] | null {
  if (given === undefined) return null;
  return [given].flat().flatMap((text) => text.replace(/^List\((.*)\)$/, "$1").split(","))
    .map((name) => name.trim()).filter((name) => name !== "");
}

/** All aspects of an entity, or those named; an entity without any has none. Throws 400 for a text that is no urn. */
async function readEntity(db: Database, urn: string, given: AspectNames) {
  const names = namesOf(given);
  const parsed = parseUrn(urn);
  if (!parsed) throw badRequest("urn must be urn:li:<type>:<id>");
  const aspects: [string, RawObject][] = [];
  for (const row of await db.query(aspectsOf, [[urn]])) {
    const value = valueOf(stateOf(row));
    if (value === undefined || (names && !names.includes(row.aspect))) continue;
    const systemMetadata = { lastObserved: row.at ?? 0 };
    aspects.push([row.aspect, { value, systemMetadata }]);
  }
  return { type: parsed.type, aspects };
}

/** As `GET /entitiesV2/{urn}`. */
export async function entityV2(db: Database, urn: string, names: AspectNames) {
  const { type, aspects } = await readEntity(db, urn, names);
  const named = aspects.map((
    [name, one],
  ) => [name, { name, type: "VERSIONED", version: 0, ...one }]);
  return { entityName: type, urn, aspects: Object.fromEntries(named) };
}

/** As `GET /openapi/v3/entity/{type}/{urn}`. Throws 404 for an entity without aspects. */
export async function entityV3(db: Database, urn: string, names: AspectNames) {
  const { aspects } = await readEntity(db, urn, names);
  if (aspects.length === 0) throw notFound("Entity", urn);
  return { urn, ...Object.fromEntries(aspects) };
}

/** As `POST /openapi/v3/entity/{type}/batchGet`: those of the entities that are stored, each with the aspects it asks for. */
export async function batchOfEntities(db: Database, given: unknown) {
  const wanted = objectsOf(given).slice(0, maxProposals).flatMap((one) => {
    const urn = textOf(one.urn);
    return urn === undefined
      ? []
      : [{ urn, names: Object.keys(one).filter((name) => name !== "urn") }];
  });
  const stored = new Map<string, [string, unknown][]>();
  for (const row of await db.query(aspectsOf, [wanted.map(({ urn }) => urn)])) {
    const value = valueOf(stateOf(row));
    if (value === undefined) continue;
    stored.set(row.urn, [...stored.get(row.urn) ?? [], [row.aspect, { value }]]);
  }
  return wanted.flatMap(({ urn, names }) => {
    const aspects = stored.get(urn)?.filter(([name]) => names.length === 0 || names.includes(name));
    return aspects ? [{ urn, ...Object.fromEntries(aspects) }] : [];
  });
}

/** Entities of a type; only that there are none can be answered. Throws 501 where there are some. */
export async function entitiesOfType(db: Database, type: string) {
  const urnTypes = [type, ...(type === "platformresource" ? ["platformResource"] : [])];
  for (const one of urnTypes) {
    if (!(await db.query(anyOfType, [one]))[0]!.any) continue;
    throw new AppError("Entities are not searched here; read one by its urn", {
      status: 501,
      code: "USR001",
    });
  }
  return { entities: [], scrollId: null };
}

/** As `POST /aspects?action=getTimeseriesAspectValues`: the newest entries that meet the filter. */
export async function readEntries(db: Database, given: unknown) {
  const body = objectOf(given) ?? {};
  const urn = textOf(body.urn);
  const aspect = textOf(body.aspect);
  if (urn === undefined || aspect === undefined || !timeseriesAspects.has(aspect)) {
    throw badRequest("urn and aspect are required, aspect being that of a time series");
  }
  const limit = Math.min(integerOf(body.limit) ?? maxEntries, maxEntries);
  const from = integerOf(body.startTimeMillis) ?? -Infinity;
  const to = integerOf(body.endTimeMillis) ?? Infinity;
  const rows = await db.query(newestEntries, [[urn], [aspect], maxEntries]);
  const found = rows.filter(({ time, value }) =>
    time >= from && time <= to && meets(JSON.parse(value) as RawObject, body.filter)
  );
  const values = found.slice(0, limit).map(({ value }) => (
    { aspect: { value, contentType: "application/json" }, systemMetadata: {} }
  ));
  return { value: { entityName: textOf(body.entity) ?? "", aspectName: aspect, limit, values } };
}

/** `{or: [{and: [{field, values}]}]}`, or none. */
function meets(entry: RawObject, filter: unknown): boolean {
  const alternatives = objectsOf(objectOf(filter)?.or);
  if (alternatives.length === 0) return true;
  return alternatives.some(({ and }) =>
    objectsOf(and).every(({ field, value, values }) => {
      const found = own(entry, textOf(field) ?? "");
      const wanted = textsOf(values).concat(textsOf([value]));
      return wanted.includes(String(found));
    })
  );
}
