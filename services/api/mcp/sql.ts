import { comparedCharacters, shownCharacters } from "#services/api/mcp/limits.ts";

const { name, description, text } = shownCharacters;

/** SQL of the beginning of a text; what is longer than is shown is seen to be. */
export const start = (of: string, characters: number = text) => `left(${of}, ${characters + 1})`;

/** SQL of as much of a name as is compared with a pattern. */
export const compared = (of: string) => `left(${of}, ${comparedCharacters})`;

/** SQL of what people call an entity: its CATRN when nobody gave it a name. */
export const nameOf = (e: string) =>
  start(`coalesce(${e}.internal_name, ${e}.external_name, ${e}.catrn)`, name);

/** SQL of the beginning of its description, or null. */
export const descriptionOf = (e: string) =>
  start(`coalesce(${e}.internal_description, ${e}.external_description)`, description);

/** SQL of the name of its type, or null. */
export const typeOf = (e: string) => `json_type(${e}.type_id) ->> 'name'`;
