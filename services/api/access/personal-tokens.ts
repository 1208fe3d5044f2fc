import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
export function personalTokens(_context: Context) {
  return { callerOf: (_token: string): Promise<Caller | undefined> => Promise.resolve(undefined) };
}
