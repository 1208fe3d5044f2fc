import { unstorable } from "#contract/text.ts";
import { badRequest } from "#kit/errors.ts";
import { fieldPath } from "./path.ts";

const freeKeys = new Set(["attributes", "expectation"]);

/** Turns nulls of objects into `undefined`, in place; those within free maps stay. */
export function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(dropNulls);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (member === null) value[key] = undefined;
      else if (key === "expectation") dropOwnNulls(member);
      else if (!freeKeys.has(key) && !(key === "metadata" && isObject(member))) dropNulls(member);
    }
  }
  return value;
}

function dropOwnNulls(value: unknown): void {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) if (value[key] === null) value[key] = undefined;
}

/** Throws a 400 `AppError` with the path when there is a key `__proto__`. */
export function refuseProto(tree: unknown, before: string): void {
  visit(tree, [], (value, path) => {
    if (!isObject(value) || !Object.hasOwn(value, "__proto__")) return;
    refuse([...path, "__proto__"], before, "is not a key that is taken");
  });
}

/** Throws a 400 `AppError` with the path of a text that PostgreSQL cannot store. */
export function refuseUnstorable(tree: unknown, before: string): void {
  visit(tree, [], (value, path) => {
    if (typeof value === "string") {
      const message = unstorable(value);
      if (message) refuse(path, before, message);
    } else if (isObject(value)) {
      for (const key in value) {
        const message = unstorable(key);
        if (message) refuse(path, before, `key ${message}`);
      }
    }
  });
}

type Path = (string | number)[];

/** Calls `show` with every value in `value` and its path, which is valid only during the call. */
function visit(value: unknown, path: Path, show: (value: unknown, path: Path) => void): void {
  show(value, path);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      path.push(i);
      visit(value[i], path, show);
      path.pop();
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      path.push(key);
      visit(value[key], path, show);
      path.pop();
    }
  }
}

function refuse(path: Path, before: string, message: string): never {
  throw badRequest("The body is not valid", [{ field: fieldPath(path, before), message }]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
