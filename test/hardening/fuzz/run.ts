import { seeded } from "#test/support/random.ts";
import { apiInput, ingestionInput, rawInput } from "./http.ts";
import type { Input } from "./input.ts";
import { lineageInput } from "./lineage.ts";
import { mcpInput } from "./mcp.ts";
import { multipartInput } from "./multipart.ts";
import { recordInput } from "./records.ts";
import { grpcInput, otlpInput } from "./traces.ts";
import type { Random } from "./words.ts";
import type { FuzzWorld } from "./world.ts";

/** Entrances that can be fuzzed by themselves. */
const alone = { openlineage: lineageInput, multipart: multipartInput };
export type Only = keyof typeof alone;
export const onlyNames = Object.keys(alone) as Only[];

export interface FuzzOptions {
  seed: number;
  inputs: number;
  /** Number of the first input that is sent; those before it are drawn all the same. */
  from?: number;
  /** Sends nothing but these. */
  only?: Only | undefined;
  /** Called now and then with how many were sent. */
  progress?: (sent: number) => void;
}

export interface Fault {
  /** With the seed it tells which input it was. */
  number: number;
  entrance: string;
  fault: string;
  input: string;
}

export interface FuzzReport {
  seed: number;
  sent: number;
  /** Inputs by entrance. */
  entrances: Record<string, number>;
  faults: Fault[];
}

const concurrency = 8;
/** Calls of one gRPC client. */
const grpcCalls = 20;
/** Faults that are stored. */
const maxFaults = 50;
/** A service that is gone answers nothing any more, which needs no thousand repetitions. */
const maxUnanswered = 50;

/** Sends mutated inputs to every entrance, the same ones for the same seed. */
export async function fuzz(world: FuzzWorld, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, inputs, from = 0, only, progress } = options;
  const random = seeded(seed);
  const report: FuzzReport = { seed, sent: 0, entrances: {}, faults: [] };
  let drawn = 0;
  let unanswered = 0;
  const next = (): { number: number; input: Input } | null => {
    while (drawn < inputs && unanswered < maxUnanswered) {
      const number = drawn;
      const input = (only ? alone[only] : draw)(world, random);
      drawn += input.count ?? 1;
      if (number >= from) return { number, input };
    }
    return null;
  };
  const work = async () => {
    for (let one = next(); one; one = next()) {
      const { number, input } = one;
      const count = input.count ?? 1;
      const fault = await input.send(world).catch((error) => `could not be sent: ${error}`);
      report.sent += count;
      report.entrances[input.entrance] = (report.entrances[input.entrance] ?? 0) + count;
      progress?.(report.sent);
      if (fault === null) continue;
      if (fault.startsWith("no answer")) unanswered++;
      if (report.faults.length >= maxFaults) continue;
      const { entrance, shown } = input;
      report.faults.push({ number, entrance, fault, input: shown.slice(0, 2_000) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return report;
}

/** The next input. A draw for gRPC stands for many, so it is a seldom one. */
export function draw(world: FuzzWorld, random: Random): Input {
  const roll = random();
  if (roll < 0.26) return ingestionInput(world, random);
  if (roll < 0.33) return lineageInput(world, random);
  if (roll < 0.58) return apiInput(world, random);
  if (roll < 0.61) return multipartInput(world, random);
  if (roll < 0.78) return otlpInput(random);
  if (roll < 0.92) return recordInput(world, random);
  if (roll < 0.965) return rawInput(world, random);
  if (roll < 0.995) return mcpInput(world, random);
  return grpcInput(random, grpcCalls);
}
