import process from "node:process";
import { parseArgs } from "node:util";
import { messageOf } from "#kit/errors.ts";
import { loadConfig } from "#platform/config/load.ts";
import { catalogue } from "./catalogue/mod.ts";
import { demoClient } from "./client.ts";
import { askQuestions } from "./questions.ts";

const usage = "npm run demo [-- --url http://127.0.0.1:8080]";

/** Loads the demonstration catalogue into a running Tributary and asks it three questions. */
export async function demo(url: string, print: (line: string) => void): Promise<void> {
  const client = demoClient(url);
  const sources = catalogue(Date.now());
  await client.registerSources(sources);
  let items = 0;
  for (const source of sources) {
    const state = await client.post(source);
    items += source.items.length;
    print(`${source.name.padEnd(20)} ${String(source.items.length).padStart(4)} items  ${state}`);
  }
  print(`${items} items from ${sources.length} sources are in the catalogue.`);
  await askQuestions(client, print);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: "string" } } });
  const { host, port } = loadConfig({ env: process.env }).server;
  await demo(values.url ?? `http://${host}:${port}`, (line) => console.log(line));
}

if (import.meta.main) {
  main().catch((error) => {
    console.error(`${messageOf(error)}\n${usage}\nIs it running? Start it with: npm start`);
    process.exit(1);
  });
}
