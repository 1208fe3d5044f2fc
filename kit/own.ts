/**
 * The object's own member of that name, never an inherited one: otherwise a name such as `constructor`,
 * chosen by a client, a file or another system, would be found in every object. Use a `Map` for our own
 * tables.
 */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  // lookup-ok -- own members only
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether a value is an object of JSON: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
