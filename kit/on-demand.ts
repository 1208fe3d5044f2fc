import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * A package that is loaded by the first call, for code that cannot wait for `import()`. Most processes never use it, and
 * its code would take memory in each. `T` is the type of its module.
 */
export function onDemand<T>(name: string): () => T {
  return () => require(name) as T;
}

/**
 * What `load` resolves with, for a module that is imported by the first who needs it. After a failure, such as a lack of
 * file descriptors, the next call tries again.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
}
