/**
 * The member of that name that an object has itself, and not by its prototype: what a client, a file or
 * another system calls `constructor` is not found in every object. For tables of our own use a `Map`.
 */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  // lookup-ok -- asked for its own members only
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
