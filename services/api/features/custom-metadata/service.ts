import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/custom-metadata/queries.ts";
import {
  maxEntityValues,
  maxListed,
  type MetadataObject,
} from "#services/api/features/custom-metadata/schemas.ts";
import { unfit } from "#services/api/features/custom-metadata/types.ts";

type Deps = Pick<Context, "db">;

/** Fields that people use, by name; `query`: part of the name. MetadataFieldList as JSON text. */
export function listFields({ db }: Deps, query: string | undefined): Promise<string> {
  return queries.fieldList(db, containsPattern(query ?? ""), maxListed);
}

/**
 * Gives an entity values of fields that have none yet, MetadataFieldValueList as JSON text. Throws 404, 400 (USR003)
 * naming each field that has a value or is given twice, and 400 for more values than an entity may have.
 */
export function createValues(
  context: Deps,
  actor: Actor,
  entityId: number,
  forms: MetadataObject[],
): Promise<string> {
  const keys = forms.map(({ name, type }) => `${type} ${name}`);
  refuseFields(forms, (_, at) => keys.indexOf(keys[at]!) < at);
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lockEntity(tx, entityId);
    const fields = await queries.ensureFields(tx, forms);
    const values = forms.map(({ value }) => value);
    const added = await queries.insertValues(tx, entityId, fields, values);
    refuseFields(forms, (_, at) => !added.has(fields[at]!));
    await refuseTooMany(tx, entityId);
    if (forms.length > 0) {
      const after = forms.map(({ name, type, value }, at) => ({
        id: fields[at]!,
        name,
        type,
        value,
      }));
      change.record({ type: "CUSTOM_METADATA_CREATED", entityId, before: [], after });
      change.searchable([entityId]);
    }
    return await queries.valuesJson(tx, entityId, fields);
  });
}

/** A value that people gave an entity, by its field. */
export interface ValueRef {
  entityId: number;
  fieldId: number;
}

/**
 * Changes a value; MetadataFieldValue. Throws 404 for an entity without a value of the field, and 400 for a value of a
 * collector or one that is not of the field's type.
 */
export function updateValue(context: Deps, actor: Actor, at: ValueRef, value: string) {
  return changing(context, actor, async (change) => {
    const was = await lockValue(change.tx, at);
    const { entityId, fieldId } = at;
    const { origin, ...state } = was;
    const message = unfit(was.type as MetadataObject["type"], value);
    if (message) {
      throw badRequest(`The value is not ${was.type}: it ${message}`, [{
        field: "value",
        message,
      }]);
    }
    if (value !== was.value) {
      await queries.updateValue(change.tx, entityId, fieldId, value);
      const after = [{ ...state, value }];
      change.record({ type: "CUSTOM_METADATA_UPDATED", entityId, before: [state], after });
      change.searchable([entityId]);
    }
    return { field: { id: was.id, name: was.name, type: was.type, origin }, value };
  });
}

/** Takes a value from an entity. Throws 404 as `updateValue` does, and 400 for a value of a collector. */
export function deleteValue(context: Deps, actor: Actor, at: ValueRef): Promise<void> {
  return changing(context, actor, async (change) => {
    const { origin: _, ...state } = await lockValue(change.tx, at);
    const { entityId, fieldId } = at;
    await queries.removeValue(change.tx, entityId, fieldId);
    change.record({ type: "CUSTOM_METADATA_DELETED", entityId, before: [state], after: [] });
    change.searchable([entityId]);
  });
}

/** Locks the entity; the value that people gave it. */
async function lockValue(
  tx: Transaction,
  { entityId, fieldId }: ValueRef,
): Promise<queries.StoredValue> {
  await lockEntity(tx, entityId);
  const stored = await queries.storedValue(tx, entityId, fieldId);
  if (!stored) throw notFound(`Metadata of data entity ${entityId} in field`, fieldId);
  if (stored.origin === "EXTERNAL") {
    throw badRequest(`${stored.name} is set by a collector, so it cannot be changed here`, [
      { field: "metadata_field_id", message: "must be a field that people set" },
    ]);
  }
  return stored;
}

async function refuseTooMany(tx: Transaction, entityId: number): Promise<void> {
  if (await queries.countValues(tx, entityId) <= maxEntityValues) return;
  const message = `must not bring the entity to more than ${maxEntityValues} values`;
  throw badRequest(`Data entity ${entityId} would have too many values`, [
    { field: "body", message },
  ]);
}

/** Throws 400 for values of a form for which `wrong` is true. */
function refuseFields(
  forms: MetadataObject[],
  wrong: (form: MetadataObject, at: number) => boolean,
): void {
  const details = forms.flatMap((form, at) =>
    wrong(form, at)
      ? [{
        field: `[${at}].name`,
        message: `must not be a ${form.type} that the entity has a value of`,
      }]
      : []
  );
  if (details.length === 0) return;
  throw conflict(`The entity has a value of such a field already (${details[0]!.field})`, details);
}
