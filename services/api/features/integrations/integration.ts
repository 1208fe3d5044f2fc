import type { Here } from "#services/api/features/integrations/here.ts";
import type { Argument, Block, Snippet } from "#services/api/features/integrations/schemas.ts";

/** One way into the catalogue, as a file of `content/` describes it. */
export interface IntegrationSpec {
  id: string;
  name: string;
  description: string;
  /** Whether this server has it; by default it has. */
  offered?: (here: Here) => boolean;
  /** SQL condition that something came by it, along an index; $1 is the data source of the trace gateway. */
  arrived: string;
  blocks: (here: Here) => Block[];
}

/** An argument to be filled in by the user of the snippet. */
export function argument(
  parameter: string,
  name: string,
  type: Argument["type"] = "STRING",
): Argument {
  return { parameter, name, type, static_value: null };
}

/** An argument that this server knows, or else one to be filled in. */
export function known(parameter: string, name: string, value: string | undefined): Argument {
  return { ...argument(parameter, name), static_value: value ?? null };
}

/** The address of this server. */
export const platformUrl = (here: Here) =>
  known("platform_url", "Address of this catalogue", here.platformUrl);

/** A snippet with those of the arguments that its template names. */
export function snippet(template: string, ...given: Argument[]): Snippet {
  return {
    template,
    arguments: given.filter(({ parameter }) => template.includes(`{{${parameter}}}`)),
  };
}

/** The lines of a curl command that posts JSON; `token` names the parameter of the token to send, if any. */
export function post(path: string, token: string | undefined, body: string): string {
  return [
    `curl -i -X POST '{{platform_url}}${path}' \\`,
    ...token === undefined ? [] : [`  -H 'authorization: Bearer {{${token}}}' \\`],
    `  -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
  ].join("\n");
}
