// Checks the answers of a fresh embedded Tributary against both of its OpenAPI documents, with schemathesis:
// no undeclared status, no body that violates its schema, no accidental 5xx. schemathesis is a Python
// program, which is installed here into a virtual environment.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "#kit/errors.ts";
import { startSubject } from "#test/hardening/subject.ts";
import { virtualEnvironment } from "../venv.ts";

const usage = `Usage: npm run schemathesis [-- options]

  --examples 5   inputs that are made up for each operation, beside one of each known kind of fault
  --seed 1       what is drawn

Exit codes: 0 every answer is as declared, 1 one is not, 2 wrong use.`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = join(root, "tools", "schemathesis");
const requirements = join(here, "requirements.txt");

/** What one process of schemathesis tests: every nth path of a document. */
interface Share {
  document: string;
  /** From 0. */
  index: number;
  of: number;
}

const shares: Share[] = [
  ...[0, 1, 2].map((index) => ({ document: "platform-api", index, of: 3 })),
  { document: "ingestion-api", index: 0, of: 1 },
];

/**
 * Processes at the same time. Workers of one process would share its interpreter, which generates no faster with
 * them, and Python 3.11 now and then fails to parse in several threads (`AST constructor recursion depth mismatch`).
 */
const concurrency = 2;

const checks = [
  // This check is defined in checks.py.
  "no_accident",
  "type_as_declared",
  "body_as_declared",
  "status_code_conformance",
  "response_headers_conformance",
];

/** Path of the program in its virtual environment. */
function installed(): string {
  return join(virtualEnvironment("schemathesis", requirements), "schemathesis");
}

/** Larger bounds are left to the cost tests: here such bodies would be generated, which takes minutes. */
const largest = 1_000;

/** Maximum number of values of a list in a query: many texts of any script are longer than a request line may be (414). */
const maxListed = 8;

/** Its share of the document that the service at `url` publishes, without large bounds, and without what waits for events. */
async function published(url: string, { document, index, of }: Share): Promise<string> {
  const response = await fetch(`${url}/api/v3/api-docs/${document}`);
  const { paths: all, ...rest } = await response.json() as { paths: Record<string, Methods> };
  const paths = Object.fromEntries(Object.entries(all).filter((_, at) => at % of === index));
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { schema } of operation.parameters ?? []) {
      if (schema?.type === "array") {
        schema.maxItems = Math.min(schema.maxItems ?? maxListed, maxListed);
      }
    }
    const content = operation.responses["200"]?.content;
    if (!content?.["text/event-stream"]) continue;
    // Its schema is that of the data within an event; this tool holds the event as a whole to it.
    content["text/event-stream"] = {};
    // Without it the answer ends at once.
    operation.parameters = operation.parameters?.filter(({ name }) => name !== "wait");
  }
  const bounds = ["maxItems", "maxLength", "maxProperties"];
  const isLarge = (key: string, value: unknown) =>
    bounds.includes(key) && typeof value === "number" && value > largest;
  return JSON.stringify(
    { paths, ...rest },
    (key, value) => isLarge(key, value) ? undefined : value,
  );
}

type Methods = Record<string, {
  parameters?: { name: string; schema?: { type?: string; maxItems?: number } }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}>;

/** Tests a share of a document of the service at `url`; returns whether no problem was found. */
async function conforms(
  program: string,
  url: string,
  share: Share,
  options: RunOptions,
): Promise<boolean> {
  const { document, index, of } = share;
  // schemathesis writes files into its working directory.
  const directory = mkdtempSync(join(tmpdir(), "tributary-schemathesis-"));
  const file = join(directory, `${document}.json`);
  writeFileSync(file, await published(url, share));
  const args = [
    "run",
    file,
    `--url=${url}`,
    "--phases=examples,coverage,fuzzing",
    `--checks=${checks.join()}`,
    `--max-examples=${options.examples}`,
    `--seed=${options.seed}`,
    "--generation-database=none",
    "--continue-on-failure",
    "--no-shrink",
    "--suppress-health-check=all",
    "--request-timeout=20",
    "--warnings=off",
    "--no-color",
  ];
  const child = spawn(program, args, {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PYTHONPATH: here,
      PYTHONDONTWRITEBYTECODE: "1",
      SCHEMATHESIS_HOOKS: "checks",
    },
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => said += text);
  return await new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => {
      rmSync(directory, { recursive: true, force: true });
      console.log(code === 0 ? `${document} ${index + 1}/${of}: ${summary(said)}` : said);
      done(code === 0);
    });
  });
}

const summary = (said: string) => /\d+ generated.*/.exec(said)?.[0] ?? "";

interface RunOptions {
  examples: string;
  seed: string;
}

function parseOptions(): RunOptions | null {
  try {
    const options = {
      examples: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
    } as const;
    const { values } = parseArgs({ options });
    return /^\d+$/.test(values.examples) && /^\d+$/.test(values.seed) ? values : null;
  } catch {
    return null;
  }
}

async function main(given: RunOptions): Promise<boolean> {
  const program = installed();
  const waiting = [...shares];
  const outcomes: boolean[] = [];
  await Promise.all(Array.from({ length: concurrency }, async () => {
    for (let share = waiting.shift(); share; share = waiting.shift()) {
      outcomes.push(await tested(program, share, given));
    }
  }));
  return outcomes.every((conforming) => conforming);
}

/** Tests a share of a document of a new instance, so that data of one share does not affect another. */
async function tested(program: string, share: Share, given: RunOptions): Promise<boolean> {
  const subject = await startSubject("embedded");
  try {
    const conforming = await conforms(program, subject.url, share, given);
    if (subject.service.ends() > 0) throw new Error(`${share.document}: the process ended`);
    return conforming;
  } finally {
    await subject.stop();
  }
}

const given = parseOptions();
if (!given) {
  console.error(usage);
  process.exit(2);
}
process.exit(
  await main(given).catch((error) => {
      console.error(messageOf(error));
      return false;
    })
    ? 0
    : 1,
);
