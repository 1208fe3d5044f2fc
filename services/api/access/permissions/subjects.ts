import { entityClasses, entityTypes } from "#contract/entities.ts";
import type { PermissionResource } from "#contract/permissions.ts";
import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";
import type { ResourceRef } from "#platform/operations/declare.ts";
import type { ConditionedResource, conditionKeys } from "./policy/keys.ts";
import type { Subject } from "./policy/rules.ts";

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
    const found = await db.query(entitiesById, [ids.slice(at, at + atATime)]);
    for (const one of found) yield { id: one.id, subject: entitySubject(one, owner) };
  }
}

/** What conditions ask of a data entity. */
interface EntityAttributes {
  hollow: boolean;
  catrn: string;
  internal_name: string | null;
  external_name: string | null;
  type_id: number | null;
  class_ids: number[];
  source_catrn: string | null;
  source_name: string | null;
  namespace: string | null;
  /** Those that people gave. */
  tags: string[];
  /** Those that batches carry. */
  ingested_tags: string[];
  owner_ids: number[];
  owners: string[];
  titles: string[];
}

const typeNames = new Map<number, string>(
  Object.entries(entityTypes).map(([name, { id }]) => [id, name]),
);
const classNames = new Map<number, string>(
  Object.entries(entityClasses).map(([name, id]) => [id, name]),
);

type EntityKey = (typeof conditionKeys)["DATA_ENTITY"]["attributes"][number];

function entitySubject(found: EntityAttributes, owner: number | null): Subject {
  const one = (value: string | null | undefined) => value == null ? [] : [value];
  const attributes: Record<EntityKey, string[]> = {
    "dataEntity:catrn": [found.catrn],
    "dataEntity:internalName": one(found.internal_name),
    "dataEntity:externalName": one(found.external_name),
    "dataEntity:type": one(typeNames.get(found.type_id ?? 0)),
    "dataEntity:class": found.class_ids.flatMap((id) => one(classNames.get(id))),
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

const tags = (origin: "INTERNAL" | "EXTERNAL") =>
  `ARRAY(SELECT (SELECT name FROM tag WHERE id = x.tag_id)
          FROM entity_tag x WHERE x.entity_id = e.id AND x.origin = '${origin}')`;

// What a batch carries gives nobody a right, unless a policy asks for it by a key of its own.
const given = "FROM ownership o WHERE o.entity_id = e.id AND NOT o.external";

const columns = `
  e.hollow, e.catrn, e.internal_name, e.external_name, e.type_id, e.class_ids,
  s.catrn AS source_catrn, s.name AS source_name, n.name AS namespace,
  ${tags("INTERNAL")} AS tags, ${tags("EXTERNAL")} AS ingested_tags,
  ARRAY(SELECT owner_id ${given}) AS owner_ids,
  ARRAY(SELECT (SELECT name FROM owner WHERE id = o.owner_id) ${given}) AS owners,
  ARRAY(SELECT (SELECT name FROM title WHERE id = o.title_id)
          ${given} AND o.title_id IS NOT NULL) AS titles`;

const joins = `
  LEFT JOIN data_source s ON s.id = e.data_source_id
  LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)`;

const entityById = statement<EntityAttributes>("access-entity")`
  SELECT ${columns} FROM data_entity e ${joins} WHERE e.id = $1`;

/** Those that are known and not hollow, by id. */
const entitiesById = statement<{ id: number } & EntityAttributes>("access-entities")`
  SELECT e.id, ${columns} FROM data_entity e ${joins}
   WHERE e.id = ANY($1::bigint[]) AND NOT e.hollow ORDER BY e.id`;

/** The entity of an alert; not `found` where it is of none. */
const entityOfAlert = statement<{ found: boolean } & EntityAttributes>("access-alert")`
  SELECT e.id IS NOT NULL AS found, ${columns}
    FROM alert a LEFT JOIN data_entity e ON e.id = a.entity_id ${joins} WHERE a.id = $1`;

const datasetOfField = statement<EntityAttributes>("access-dataset-field")`
  SELECT ${columns}
    FROM dataset_field f JOIN data_entity e ON e.id = f.dataset_id AND NOT e.hollow ${joins}
   WHERE f.id = $1`;

/** What conditions ask of a term. */
interface TermAttributes {
  name: string;
  namespace: string;
  tags: string[];
  owner_ids: number[];
  owners: string[];
  titles: string[];
}

type TermKey = (typeof conditionKeys)["TERM"]["attributes"][number];

function termSubject(found: TermAttributes, owner: number | null): Subject {
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

const termById = statement<TermAttributes>("access-term")`
  SELECT t.name, n.name AS namespace,
         ARRAY(SELECT (SELECT name FROM tag WHERE id = x.tag_id)
                 FROM term_tag x WHERE x.term_id = t.id) AS tags,
         ARRAY(SELECT owner_id FROM term_ownership o WHERE o.term_id = t.id) AS owner_ids,
         ARRAY(SELECT (SELECT name FROM owner WHERE id = o.owner_id)
                 FROM term_ownership o WHERE o.term_id = t.id) AS owners,
         ARRAY(SELECT (SELECT name FROM title WHERE id = o.title_id) FROM term_ownership o
                WHERE o.term_id = t.id AND o.title_id IS NOT NULL) AS titles
    FROM term t JOIN namespace n ON n.id = t.namespace_id WHERE t.id = $1`;

/** A query example has no name: what it says it is for stands for one. */
function queryExampleSubject({ definition }: { definition: string }): Subject {
  return { attributes: new Map([["queryexample:name", [definition]]]), relations: new Set() };
}

const queryExampleById = statement<{ definition: string }>("access-query-example")`
  SELECT definition FROM query_example WHERE id = $1`;

/** What conditions see of the row that a statement returns for an id. */
function seenBy<R>(
  statement: Statement<R>,
  subjectOf: (row: R, owner: number | null) => Subject | null | undefined,
): Kind["subject"] {
  return async (db, id, owner) => {
    const [found] = await db.query(statement, [id]);
    return found && subjectOf(found, owner);
  };
}

/** Every kind of resource. */
export const kinds: Record<ResourceRef["kind"], Kind> = {
  data_entity: {
    type: "DATA_ENTITY",
    named: "data entity",
    subject: seenBy(
      entityById,
      (found, owner) => found.hollow ? undefined : entitySubject(found, owner),
    ),
  },
  alert: {
    type: "DATA_ENTITY",
    named: "alert",
    subject: seenBy(
      entityOfAlert,
      (found, owner) => found.found ? entitySubject(found, owner) : null,
    ),
  },
  dataset_field: {
    type: "DATA_ENTITY",
    named: "dataset field",
    subject: seenBy(datasetOfField, entitySubject),
  },
  term: { type: "TERM", named: "term", subject: seenBy(termById, termSubject) },
  query_example: {
    type: "QUERY_EXAMPLE",
    named: "query example",
    subject: seenBy(queryExampleById, queryExampleSubject),
  },
};
