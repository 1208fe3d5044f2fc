import { entityClasses, entityTypes } from "#contract/entities.ts";
import type { PermissionResource } from "#contract/permissions.ts";
import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { ResourceRef } from "#platform/operations/declare.ts";
import type { ConditionedResource, conditionKeys } from "./policy/keys.ts";
import type { Subject } from "./policy/rules.ts";
import * as queries from "./subjects.queries.ts";

/** A kind of resource with permissions. */
interface Kind {
  /** The type whose permissions apply; those of an alert and a dataset field are those of their entity. */
  type: ConditionedResource;
  /** What people read: `data entity 12`. */
  named: string;
  /**
   * What conditions see of it; null where no condition can hold. Undefined: there is no such thing.
   * `owner`: of the caller, or null.
   */
  subject(db: Queryable, id: number, owner: number | null): Promise<Subject | null | undefined>;
}

/** Every kind of resource. */
export const kinds: Record<ResourceRef["kind"], Kind> = {
  data_entity: {
    type: "DATA_ENTITY",
    named: "data entity",
    async subject(db, id, owner) {
      const found = await queries.entityAttributes(db, id);
      return found && !found.hollow ? entitySubject(found, owner) : undefined;
    },
  },
  alert: {
    type: "DATA_ENTITY",
    named: "alert",
    async subject(db, id, owner) {
      const found = await queries.alertAttributes(db, id);
      return found && entitySubject(found, owner);
    },
  },
  dataset_field: {
    type: "DATA_ENTITY",
    named: "dataset field",
    async subject(db, id, owner) {
      const found = await queries.fieldAttributes(db, id);
      return found && entitySubject(found, owner);
    },
  },
  term: {
    type: "TERM",
    named: "term",
    async subject(db, id, owner) {
      const found = await queries.termAttributes(db, id);
      return found && termSubject(found, owner);
    },
  },
  query_example: {
    type: "QUERY_EXAMPLE",
    named: "query example",
    async subject(db, id) {
      const found = await queries.queryExampleAttributes(db, id);
      return found && queryExampleSubject(found);
    },
  },
};

/** The kind in requests for a type of resources. */
export const kindOfType: Record<Exclude<PermissionResource, "MANAGEMENT">, ResourceRef["kind"]> = {
  DATA_ENTITY: "data_entity",
  TERM: "term",
  QUERY_EXAMPLE: "query_example",
};

/** `data entity 12`. */
export const nameOf = ({ kind, id }: ResourceRef) => `${kinds[kind].named} ${id}`;

/** What conditions see of a resource; null where none can hold. Throws 404 when there is no such resource. */
export async function subjectOf(
  db: Queryable,
  { kind, id }: ResourceRef,
  owner: number | null,
): Promise<Subject | null> {
  const { named, subject } = kinds[kind];
  const found = await subject(db, id, owner);
  if (found === undefined) throw notFound(named[0]!.toUpperCase() + named.slice(1), id);
  return found;
}

/** Entities evaluated at a time. */
const atATime = 1_000;

/** What conditions see of each of these data entities that is known and not hollow, by id. */
export async function* subjectsOf(
  db: Queryable,
  ids: readonly number[],
  owner: number | null,
): AsyncGenerator<{ id: number; subject: Subject }> {
  for (let at = 0; at < ids.length; at += atATime) {
    const found = await queries.attributesOfEntities(db, ids.slice(at, at + atATime));
    for (const one of found) yield { id: one.id, subject: entitySubject(one, owner) };
  }
}

const types = new Map<number, string>(
  Object.entries(entityTypes).map(([name, { id }]) => [id, name]),
);
const classes = new Map<number, string>(
  Object.entries(entityClasses).map(([name, id]) => [id, name]),
);

type EntityKey = (typeof conditionKeys)["DATA_ENTITY"]["attributes"][number];

function entitySubject(found: queries.EntityAttributes, owner: number | null): Subject {
  const one = (value: string | null | undefined) => value == null ? [] : [value];
  const attributes: Record<EntityKey, string[]> = {
    "dataEntity:catrn": [found.catrn],
    "dataEntity:internalName": one(found.internal_name),
    "dataEntity:externalName": one(found.external_name),
    "dataEntity:type": one(types.get(found.type_id ?? 0)),
    "dataEntity:class": found.class_ids.flatMap((id) => one(classes.get(id))),
    "dataEntity:datasource:catrn": one(found.source_catrn),
    "dataEntity:datasource:name": one(found.source_name),
    "dataEntity:namespace:name": one(found.namespace),
    "dataEntity:tag:name": found.tags,
    "dataEntity:ingestedTag:name": found.ingested_tags,
    "dataEntity:owner": found.owners,
    "dataEntity:owner:title": found.titles,
  };
  const owned = owner !== null && found.owner_ids.includes(owner);
  return {
    attributes: new Map(Object.entries(attributes)),
    relations: new Set(owned ? ["dataEntity:owner"] : []),
  };
}

type TermKey = (typeof conditionKeys)["TERM"]["attributes"][number];

function termSubject(found: queries.TermAttributes, owner: number | null): Subject {
  const attributes: Record<TermKey, string[]> = {
    "term:name": [found.name],
    "term:namespace:name": [found.namespace],
    "term:tag:name": found.tags,
    "term:owner": found.owners,
    "term:owner:title": found.titles,
  };
  const owned = owner !== null && found.owner_ids.includes(owner);
  return {
    attributes: new Map(Object.entries(attributes)),
    relations: new Set(owned ? ["term:owner"] : []),
  };
}

/** A query example has no name: what it says it is for stands for one. */
function queryExampleSubject({ definition }: queries.QueryExampleAttributes): Subject {
  return { attributes: new Map([["queryexample:name", [definition]]]), relations: new Set() };
}
