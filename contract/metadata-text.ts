// What the text of a metadata value is, for collectors' values, whose type is inferred, and for people's, who name it.

/** Longest text that is tested for being JSON, in UTF-16 units; nothing limits what it contains. */
export const longestJson = 100_000;

const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Whether a text is a date and a time, such as `2024-01-31T12:00:00Z`. */
export function isDateTime(text: string): boolean {
  return dateTime.test(text) &&
    !Number.isNaN(Date.parse(text.replace(" ", "T").replace(",", ".")));
}

/** Whether a text of at most `longestJson` characters is a JSON object or array. */
export function isJsonContainer(text: string): boolean {
  return /^\s*[[{]/.test(text) && parsedJson(text) !== undefined;
}

/** Whether a text of at most `longestJson` characters is a JSON array. */
export function isJsonArray(text: string): boolean {
  return Array.isArray(parsedJson(text));
}

function parsedJson(text: string): unknown {
  if (text.length > longestJson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
