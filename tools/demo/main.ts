import process from "node:process";
import { parseArgs } from "node:util";
import { messageOf } from "#kit/errors.ts";
import { loadConfig } from "#platform/config/load.ts";
import type { Config } from "#platform/config/schema.ts";
import { loadDemonstration } from "#platform/demonstration/load.ts";
import { failureText } from "#platform/secrets.ts";
import { receiverAddress } from "#platform/telemetry/traces.ts";
import { overEngines } from "../command.ts";
import { demoClient } from "./client.ts";
import { askQuestions, questions, questionsOfServices } from "./questions.ts";
import { selfTrace } from "./self-trace.ts";
import { traceServices } from "./services.ts";
import type { Receiver } from "./traces/send.ts";

const usage = `Usage: npm run demo [-- options]

  --url http://127.0.0.1:8080      where Tributary answers
  --traces http://127.0.0.1:4318   where its trace gateway takes OTLP over HTTP
  --self-trace                     has Tributary trace itself for ten minutes, and shows its own lineage`;

/**
 * Loads the demonstration catalogue into a running Tributary and asks it questions; when there is a trace
 * gateway, the demonstration's services send traces too.
 */
export async function demo(
  url: string,
  print: (line: string) => void,
  receiver?: Receiver,
): Promise<void> {
  const client = demoClient(url);
  await loadDemonstration(client, { now: Date.now(), print });
  const traced = receiver ? await traceServices(client, receiver, print) : false;
  await askQuestions(client, traced ? [...questions, ...questionsOfServices] : questions, print);
  print(`Look at it in a browser: ${url}`);
}

function given() {
  try {
    return parseArgs({
      options: {
        url: { type: "string" },
        traces: { type: "string" },
        "self-trace": { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${messageOf(error)}\n${usage}`);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  const values = given();
  const config = loadConfig({ env: process.env });
  const url = values.url ?? `http://${reachable(config.server.host)}:${config.server.port}`;
  const receiver = receiverOf(config, values.traces);
  const print = (line: string) => console.log(line);
  if (!values["self-trace"]) return await demo(url, print, receiver);
  process.exitCode = await overEngines(async ({ db }) => {
    const done = await selfTrace(db, { client: demoClient(url), print });
    return done ? 0 : 1;
  });
}

function receiverOf(config: Config, given?: string): Receiver {
  return { url: given ?? receiverAddress(config), token: config.traces.token };
}

/** Converts an address to listen on into one that can be called. */
function reachable(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

if (import.meta.main) {
  main().catch((error) => {
    const unreachable = error instanceof TypeError;
    const hint = unreachable ? "\nIs it running? Start it with: npm start" : "";
    console.error(`${failureText(error)}${hint}`);
    process.exit(1);
  });
}
