import process from "node:process";
import { parseArgs } from "node:util";
import { messageOf } from "#kit/errors.ts";
import { asBefore, traffic } from "#test/hardening/fuzz/aftermath.ts";
import { fuzz, type FuzzReport, type Only, onlyNames } from "#test/hardening/fuzz/run.ts";
import { expectNoFilesLeft } from "#test/hardening/fuzz/remains.ts";
import { prepare } from "#test/hardening/fuzz/world.ts";
import { startSubject, type Subject } from "#test/hardening/subject.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { removeTraces } from "../bench/support/engines.ts";
import { table } from "./table.ts";

const usage = `Usage: npm run fuzz [-- options]

  --inputs 20000       mutated inputs that are sent to all entrances
  --minutes 3          how long it must go on afterwards, before it is restarted
  --seed 1             random seed; by default a new one, which is printed
  --from 0             draws the inputs before that number without sending them
  --engines embedded   or distributed, over the engines that the TEST_… variables name
  --only openlineage   nothing but OpenLineage events; multipart: nothing but files, uploaded and imported

Sends inputs that were sound once and are not any more to a Tributary of its own, waits, restarts it,
and expects it to be as if nothing had happened.

Exit codes: 0 it holds, 1 it does not, 2 wrong use.`;

interface FuzzOptions {
  inputs: number;
  minutes: number;
  seed: number;
  from: number;
  engines: EngineSet;
  only?: Only | undefined;
}

/** Parses the arguments; null when they are invalid. */
export function parseFuzz(args: string[]): FuzzOptions | null {
  try {
    const { values } = parseArgs({
      args,
      options: {
        inputs: { type: "string", default: "20000" },
        minutes: { type: "string", default: "3" },
        seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
        from: { type: "string", default: "0" },
        engines: { type: "string", default: "embedded" },
        only: { type: "string" },
      },
    });
    const { engines, only } = values;
    if (engines !== "embedded" && engines !== "distributed") return null;
    if (only !== undefined && !onlyNames.includes(only as Only)) return null;
    const [inputs, minutes, seed, from] = [values.inputs, values.minutes, values.seed, values.from]
      .map(Number) as [number, number, number, number];
    if (![inputs, minutes, seed, from].every((number) => number >= 0)) return null;
    return { inputs, minutes, seed, from, engines, only: only as Only | undefined };
  } catch {
    return null;
  }
}

async function main(options: FuzzOptions): Promise<boolean> {
  const subject = await startSubject(options.engines);
  try {
    return await holds(subject, options);
  } catch (error) {
    console.error(messageOf(error));
    console.error(subject.service.output().slice(-20).join("\n"));
    return false;
  } finally {
    await subject.stop();
    if (options.engines === "distributed") await removeTraces(subject.instance);
  }
}

async function holds(subject: Subject, options: FuzzOptions): Promise<boolean> {
  const { inputs, minutes, seed, from, only } = options;
  console.log(`seed ${seed}, ${inputs} inputs`);
  const begun = performance.now();
  const progress = (sent: number) => sent % 1_000 === 0 && console.log(`${sent} sent`);
  const world = await prepare(subject);
  const report = await fuzz(world, { seed, inputs, from, only, progress });
  console.log(`${report.sent} sent in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  printReport(report);
  if (report.faults.length > 0) console.error(errorsOf(subject).join("\n"));
  await expectNoFilesLeft(subject);
  await asBefore(subject);
  await traffic(subject, minutes * 60_000);
  await asBefore(subject);
  console.log(`it went on for ${minutes} min`);
  await subject.service.terminate();
  await subject.service.start();
  await asBefore(subject);
  console.log("and after a restart");
  const ends = subject.service.ends();
  if (ends > 0) console.error(`the process ended ${ends} times`);
  return report.faults.length === 0 && ends === 0;
}

/** The last errors that the service logged; only they show why it answered 500. */
function errorsOf({ service }: Subject): string[] {
  return service.output().filter((line) => line.includes('"level":"error"')).slice(-20);
}

function printReport({ entrances, faults }: FuzzReport): void {
  const rows = Object.entries(entrances).sort(([a], [b]) => (a < b ? -1 : 1));
  console.log(table(rows.map(([entrance, inputs]) => ({ entrance, inputs }))));
  for (const { number, entrance, fault, input } of faults) {
    console.error(`${number}: ${entrance}: ${fault}\n    ${JSON.stringify(input)}`);
  }
}

if (import.meta.main) {
  const options = parseFuzz(process.argv.slice(2));
  if (!options) console.error(usage);
  process.exit(!options ? 2 : await main(options) ? 0 : 1);
}
