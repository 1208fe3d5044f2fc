/** A row whose columns nobody named. */
export type Row = Record<string, unknown>;

declare const row: unique symbol;

/** SQL that each connection prepares once, under its name; `R` is what it answers a row with. */
export interface Statement<R = Row> {
  readonly name: string;
  readonly text: string;
  readonly [row]?: R;
}

/** The row of a statement that answers finished JSON text. */
export interface JsonRow {
  json: string;
}

const names = new Set<string>();

/** The driver warns of names beyond 63 bytes. */
const allowed = /^[a-z][a-z0-9_-]{0,62}$/;

/**
 * Declares a statement, once and at the top of a file: a connection that prepared another text under the
 * same name would refuse this one, so a name that is taken is refused when the file is loaded. What is
 * put into the text are fixed parts of it; values are bound when it is run.
 */
export function statement<R = Row>(name: string) {
  if (!allowed.test(name)) {
    throw new Error(`"${name}" is no name of a statement: ${allowed.source}`);
  }
  if (names.has(name)) throw new Error(`There are two statements with the name ${name}`);
  names.add(name);
  return (texts: TemplateStringsArray, ...parts: (string | number)[]): Statement<R> => ({
    name,
    text: texts.map((text, at) => `${text}${parts[at] ?? ""}`).join(""),
  });
}
