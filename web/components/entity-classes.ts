import type { Schema } from "#web/api/client.ts";

export type ClassName = Schema<"DataEntityClass">["name"];

type Classified = Pick<Schema<"DataEntityDetails">, "entity_classes">;

/** The names of the classes that an entity has. */
export function classesOf(of: Classified): Set<ClassName> {
  return new Set((of.entity_classes ?? []).map(({ name }) => name));
}

const flowing: ClassName[] = ["DATA_SET", "DATA_TRANSFORMER", "DATA_CONSUMER", "DATA_INPUT"];

/** Whether data flows through it, so that it has something before and after it. */
export function isInFlow(of: Classified): boolean {
  const classes = classesOf(of);
  return flowing.some((name) => classes.has(name));
}
