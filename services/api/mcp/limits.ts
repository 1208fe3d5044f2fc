import { type Limit, limit } from "#kit/limits.ts";

/** Largest message of a client, in bytes. */
export const maxMessage = 256_000;
/** Objects and arrays, members and elements of a message; tools take flat arguments. */
export const messageHolds = { containers: 2_000, members: 5_000, elements: 5_000 };
/** Milliseconds in which a tool answers. */
export const toolMs = 30_000;
/** Largest answer of a tool, bytes of its JSON. */
export const maxAnswer = 40_000;
/** Longest text of an argument, in UTF-16 units. */
export const maxArgument = 2_000;
/** Longest pattern of a name, and characters of a name that are compared with it: their product is paid for each name. */
export const maxPattern = 100;
export const comparedCharacters = 500;
/** Characters of a name, of a description, and of a longer text (a reason, a message, a value). */
export const shownCharacters = { name: 200, description: 200, text: 500, sql: 8_000 };
/** Entities that a name may stand for, as an error lists them. */
export const maxCandidates = 10;
/** Maximum number of entities per `get_entities` call, and fields shown of each. */
export const maxRefs = 10;
export const maxFields = 200;
/** Metadata of a run that `get_runs` shows, bytes of its JSON. */
export const maxRunMetadata = 8_000;
/** Values of a list argument. */
export const maxListed = 50;
/** Maximum number of edges from an entity when everything that it reaches is read. */
export const everything = 1_000;

const mcp = "POST /mcp";
const shortened = "cut";

/** Limits of what assistants ask. */
export const mcpLimits: Limit[] = [
  limit(mcp, "message, bytes", maxMessage),
  limit(mcp, "messages of a request", 1),
  limit(mcp, "objects and arrays of a message", messageHolds.containers),
  limit(mcp, "members of objects of a message", messageHolds.members),
  limit(mcp, "elements of arrays of a message", messageHolds.elements),
  limit(mcp, "text of an argument, UTF-16 units", maxArgument, "an error of the tool"),
  limit(mcp, "pattern of a name, UTF-16 units", maxPattern, "an error of the tool"),
  limit(
    mcp,
    "name of a field compared with a pattern, UTF-16 units",
    comparedCharacters,
    "cut for the comparison",
  ),
  limit(mcp, "time of an answer, milliseconds", toolMs, "an error of the tool"),
  limit(mcp, "answer of a tool, bytes of its JSON", maxAnswer, "fewer items, and a cursor"),
  limit(mcp, "entities of get_entities", maxRefs, "an error of the tool"),
  limit(mcp, "fields of an entity", maxFields, "the first are returned, with the total"),
  limit(mcp, "metadata of a run, bytes of its JSON", maxRunMetadata, "fewer values"),
  limit(mcp, "values of a list argument", maxListed, "an error of the tool"),
  limit(mcp, "name, UTF-16 units", shownCharacters.name, shortened),
  limit(mcp, "description, UTF-16 units", shownCharacters.description, shortened),
  limit(mcp, "value, reason or message, UTF-16 units", shownCharacters.text, shortened),
  limit(mcp, "SQL of a transformer, UTF-16 units", shownCharacters.sql, shortened),
];
