import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./checks/check.ts";

/** How a container of docker-compose.yml is started. */
export interface ComposeService {
  image: string;
  /** Arguments after the entry point of the image, which is the Deno binary for our own services. */
  command: string[];
  environment: Record<string, string>;
  healthcheck: { test: string[] };
  /** Whether the image is built here. */
  own: boolean;
  /** The complete definition of the service. */
  given: Record<string, unknown> & { volumes?: string[]; tmpfs?: string[] };
}

/** Stands for each secret of `.env`; as long as those that `npm run secrets` makes. */
export const placeholderSecret = "secret-".repeat(7).slice(0, 48);

/** The document, with anchors and merges resolved. */
export function composeDocument(): { services: Record<string, Record<string, unknown>> } {
  return parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true });
}

/**
 * Services by name. Secrets such as `${NAME:?message}` become `placeholderSecret`, `${NAME:-default}` its default: tests
 * replace the addresses anyway, and run the same commands as plain processes. `variables`: those of `.env` that go before
 * the defaults.
 */
export function composeServices(
  variables: Record<string, string> = {},
): Record<string, ComposeService> {
  const services = Object.entries(composeDocument().services).map(([name, service]) => {
    const given = service as Partial<ComposeService> & { build?: unknown };
    const environment = Object.entries(given.environment ?? {}).map(([key, value]) => [
      key,
      String(value).replace(/\$\{\w+:\?[^}]*\}/g, placeholderSecret)
        .replace(/\$\{(\w+):-([^}]*)\}/g, (_, name, otherwise) => variables[name] ?? otherwise),
    ]);
    return [name, {
      image: given.image ?? "",
      command: given.command ?? [],
      environment: Object.fromEntries(environment),
      healthcheck: given.healthcheck ?? { test: [] },
      own: given.build !== undefined,
      given: service,
    }];
  });
  return Object.fromEntries(services);
}
