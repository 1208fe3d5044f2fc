import type { Context } from "#platform/context.ts";

/** Where people see an entity. */
export function entityUrl({ baseUrl }: Pick<Context, "baseUrl">, id: number): string {
  return `${baseUrl().replace(/\/$/, "")}/dataentities/${id}`;
}
