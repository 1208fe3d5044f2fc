import process from "node:process";
import { expect, it } from "vitest";
import { mutated } from "#test/hardening/fuzz/mutate.ts";
import { soundEvents } from "#test/hardening/fuzz/lineage.ts";
import { pick, textOf } from "#test/hardening/fuzz/words.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";
import { acceptEvent, isRefused } from "./accept.ts";
import { OpenLineageEvent } from "./event.ts";
import { evaluateEvent } from "./evaluate.ts";
import { jsonOf } from "./record.ts";

/** Mutated events; `OPENLINEAGE_FUZZ=5000000` sets another number. */
const events = Number(process.env.OPENLINEAGE_FUZZ ?? sized(20_000, 1_000_000));
/** Of so many one is looked at more closely. */
const every = 20;
const seed = 11;

it(
  `${events} mutated events (seed ${seed}): each is judged, what is taken can be stored and read again`,
  () => {
    const random = seeded(seed);
    const small = soundEvents.slice(3);
    const outcomes = { taken: 0, refused: 0 };
    for (let n = 0; n < events; n++) {
      const sound = n % 1_000 === 0 ? pick(random, soundEvents) : pick(random, small);
      const text = textOf(mutated(sound, random));
      const result = evaluateEvent(new TextEncoder().encode(text));
      if ("refused" in result) {
        outcomes.refused++;
        continue;
      }
      outcomes.taken++;
      const stored = new TextDecoder().decode(result.accepted.value);
      if (stored.includes("\\u0000") || !stored.isWellFormed()) throw new Error(`${n}: ${text}`);
      if (n % every === 0) expectSame(stored, `${n}: ${text}`);
    }
    expect(outcomes.taken).toBeGreaterThan(events / 4);
    expect(outcomes.refused).toBeGreaterThan(events / 100);
  },
);

/** What was taken is taken again as the same, without a warning, and fits the schema. */
function expectSame(stored: string, input: string): void {
  const result = acceptEvent(JSON.parse(stored));
  if (isRefused(result) || result.warnings.length > 0 || result.unused > 0) {
    throw new Error(`${JSON.stringify(result)} for ${input}`);
  }
  expect(JSON.stringify(jsonOf(result.event)), input).toBe(stored);
  const parsed = OpenLineageEvent.safeParse(result.event);
  if (!parsed.success) throw new Error(`${parsed.error.message} for ${input}`);
}
