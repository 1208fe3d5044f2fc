import type { Schema } from "#web/api/client.ts";

type Argument = Schema<"IntegrationCodeSnippetArgument">;

/**
 * A template with its `{{parameters}}` filled in: by what is typed, else by what the service knows; what nobody has
 * said yet stays visible as `<its name>`.
 */
export function filled(
  template: string,
  given: Argument[],
  typed: ReadonlyMap<string, string>,
): string {
  const known = new Map(given.map((one) => [one.parameter, one]));
  return template.replace(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g, (whole, parameter: string) => {
    const argument = known.get(parameter);
    if (!argument) return whole;
    return typed.get(parameter) || argument.static_value || `<${argument.name}>`;
  });
}

/** The parameters of all snippets of a guide that people say, each once. */
export function argumentsOf(guide: Schema<"Integration">): Argument[] {
  const found = new Map<string, Argument>();
  for (const { code_snippets } of guide.content_blocks) {
    for (const one of code_snippets.flatMap((snippet) => snippet.arguments ?? [])) {
      if (!found.has(one.parameter)) found.set(one.parameter, one);
    }
  }
  return [...found.values()];
}
