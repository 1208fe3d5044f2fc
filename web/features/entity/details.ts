import type { Schema } from "#web/api/client.ts";
import type { Permission } from "#web/components/permissions.ts";

/** What the cards of the overview get. */
export interface CardOf {
  of: Details;
  can: (permission: Permission) => boolean;
}

export type Details = Schema<"DataEntityDetails">;
export type ClassName = Schema<"DataEntityClass">["name"];

/** The names of the classes that an entity has. */
export function classesOf(of: Pick<Details, "entity_classes">): Set<ClassName> {
  return new Set((of.entity_classes ?? []).map(({ name }) => name));
}

const flowing: ClassName[] = ["DATA_SET", "DATA_TRANSFORMER", "DATA_CONSUMER", "DATA_INPUT"];

/** Whether data flows through it, so that it has something before and after it. */
export function isInFlow(of: Pick<Details, "entity_classes">): boolean {
  const classes = classesOf(of);
  return flowing.some((name) => classes.has(name));
}
