const escapes = new Map(Object.entries({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}));

/** Markup that is finished; everything else is text and will be escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlPart = string | number | Html | null | readonly (string | number | Html | null)[];

// Not called `html`: the formatter would indent what is quoted and so change the text of a mail.
/** A template whose values are escaped, unless they are `Html`; lists are joined, null is nothing. */
export function markup(fixed: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  const text = parts.map((part, i) => [part].flat().map(written).join("") + fixed[i + 1]).join("");
  return new Html(fixed[0] + text);
}

function written(part: string | number | Html | null): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  return String(part).replaceAll(/[&<>"']/g, (character) => escapes.get(character)!);
}
