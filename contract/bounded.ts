import { z } from "@hono/zod-openapi";
import { isObject, own } from "#kit/own.ts";

/** Most wrong places that one refusal lists; validation stops once it has found this many. */
export const maxDetails = 100;

type Issues = z.core.$ZodRawIssue[];

const BoundedArray = z.core.$constructor<z.ZodArray>("BoundedArray", (inst, def) => {
  z.ZodArray.init(inst, def);
  // The original parser refuses a value that is not an array, or too long, without reading its
  // items.
  const refuse = inst._zod.parse;
  const [longest] = z.core.util.sizeCaps(def.checks as z.core.$ZodCheck[])[0]!;
  inst._zod.parse = (payload, context) => {
    const items = payload.value as unknown;
    if (!Array.isArray(items) || items.length > longest) return refuse(payload, context);
    const taken: unknown[] = [];
    for (let i = 0; i < items.length && payload.issues.length < maxDetails; i++) {
      taken.push(read(def.element, items[i], i, payload.issues, context));
    }
    return settled(payload, taken);
  };
});

interface RecordDef extends z.core.$ZodRecordDef {
  max: number;
}

const BoundedRecord = z.core.$constructor<z.ZodRecord>("BoundedRecord", (inst, def) => {
  z.ZodRecord.init(inst, def);
  const refuse = inst._zod.parse;
  const { max } = def as unknown as RecordDef;
  inst._zod.parse = (payload, context) => {
    const members = payload.value as unknown;
    if (!isObject(members)) return refuse(payload, context);
    const names = Object.keys(members);
    if (names.length > max) {
      const message = `must hold at most ${max} members`;
      payload.issues.push({ code: "custom", message, input: members, inst, continue: false });
      return payload;
    }
    const taken: [string, unknown][] = [];
    for (const name of names) {
      if (payload.issues.length >= maxDetails) break;
      const key = read(def.keyType, name, name, payload.issues, context) as string;
      const member = own(members, name);
      taken.push([key, read(def.valueType, member, name, payload.issues, context)]);
    }
    return settled(payload, Object.fromEntries(taken));
  };
});

/** Validates `value` with `schema`; appends the issues to `issues`, with `step` before their paths. */
function read(
  schema: z.core.SomeType,
  value: unknown,
  step: string | number,
  issues: Issues,
  context: z.core.ParseContextInternal,
): unknown {
  const result = schema._zod.run({ value, issues: [] }, context);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  for (const issue of result.issues.slice(0, maxDetails)) {
    issues.push({ ...issue, path: [step, ...issue.path ?? []] });
  }
  return result.value;
}

/** Ends validation here when the issues reached the limit: later rules would see an incomplete value. */
function settled(payload: z.core.ParsePayload, value: unknown): z.core.ParsePayload {
  const { issues } = payload;
  const last = issues.length - 1;
  if (last + 1 >= maxDetails) issues[last] = { ...issues[last]!, continue: false };
  payload.value = value;
  return payload;
}

/**
 * A list of at most `max` items, documented as `maxItems`. The length is checked before the items.
 * Items are checked only until `maxDetails` issues are found, whereas `z.array` reports all of them.
 */
export function boundedArray<T extends z.core.SomeType>(
  item: T,
  max: number,
  error = `must hold at most ${max} elements`,
): z.ZodArray<T> {
  const checks = [z.maxLength(max, { error })];
  return new BoundedArray({ type: "array", element: item, checks } as never) as never;
}

/** A map of at most `max` members with keys chosen by the client; checked as `boundedArray` is. */
export function boundedRecord<K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(
  key: K,
  value: V,
  max: number,
): z.ZodRecord<K, V> {
  const def = { type: "record", keyType: key, valueType: value, max: max };
  const record = new BoundedRecord(def as never) as unknown as z.ZodRecord<K, V>;
  return record.openapi({ maxProperties: max });
}
