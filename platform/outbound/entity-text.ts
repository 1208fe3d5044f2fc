import { clean } from "#kit/text.ts";

const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** What an entity is called; one that is only referred to has no name, or none that can be seen. */
export function entityName(entity: { id: number; name: string | null }): string {
  const name = clean(entity.name ?? "").trim();
  return visible.test(name) ? name : `entity ${entity.id}`;
}

/** Pages of an entity in the web interface, by what a link is to show. */
type EntityPage = "overview" | "alerts";

/** Where a link on an entity leads. */
export function entityUrl(base: string, entity: { id: number }, shows: EntityPage) {
  return `${base.replace(/(?<!\/)\/+$/, "")}/dataentities/${entity.id}/${shows}`;
}
