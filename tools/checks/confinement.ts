import { readFileSync } from "node:fs";
import { join } from "node:path";
import { composeServices } from "../compose.ts";
import { root } from "./check.ts";

/** The restrictions that every container in docker-compose.yml must have, and the exceptions. */
const wanted: [what: string, has: (given: Record<string, unknown>) => boolean][] = [
  ["cap_drop: [ALL]", ({ cap_drop }) => String(cap_drop) === "ALL"],
  ["no cap_add", ({ cap_add }) => cap_add === undefined],
  [
    "no-new-privileges",
    ({ security_opt }) => String(security_opt).includes("no-new-privileges:true"),
  ],
  ["mem_limit", ({ mem_limit }) => typeof mem_limit === "string"],
  [
    "logging.options max-size and max-file",
    ({ logging }) => {
      const { options } = (logging ?? {}) as { options?: Record<string, unknown> };
      return options?.["max-size"] !== undefined && options["max-file"] !== undefined;
    },
  ],
  ["ulimits.nofile", ({ ulimits }) => (ulimits as { nofile?: unknown })?.nofile !== undefined],
  [
    "ports on 127.0.0.1",
    ({ ports }) => ((ports ?? []) as string[]).every((port) => port.startsWith("127.0.0.1:")),
  ],
];

/** Checks that containers are confined, and that no password has a default. */
export function confinementProblems(): string[] {
  const missing = Object.entries(composeServices()).flatMap(([name, { given }]) =>
    wanted.filter(([, has]) => !has(given)).map(([what]) => `${name} lacks ${what}`)
  );
  const text = readFileSync(join(root, "docker-compose.yml"), "utf8");
  const defaults = text.match(/\$\{\w*(PASSWORD|TOKEN|SECRET)\w*(?!\w|:\?)[^}]*\}/g) ?? [];
  return [
    ...missing,
    ...defaults.map((variable) => `${variable} must be \${NAME:?is missing, run npm run secrets}`),
  ].map((problem) => `docker-compose.yml: ${problem}`);
}
