import { createRequire } from "node:module";

const patched = new Set<string>();

/** Changes a class of kafkajs, once in a process. `file`: below its `src`, without an extension; `T`: what is used of it. */
export function patchClient<T>(file: string, patch: (prototype: T) => void): void {
  if (patched.has(file)) return;
  patched.add(file);
  const { prototype } = createRequire(import.meta.url)(`kafkajs/src/${file}`) as { prototype: T };
  patch(prototype);
}
