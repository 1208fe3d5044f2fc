import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * A package that is loaded by the first call, for code that cannot wait for `import()`. Most processes never use it, and
 * its code would take memory in each. `T` is the type of its module.
 */
export function onDemand<T>(name: string): () => T {
  return () => require(name) as T;
}
