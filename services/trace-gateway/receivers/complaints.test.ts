import { expect, it } from "vitest";
import { type LogFields, silentLogger } from "#kit/log.ts";
import { Complaints } from "./complaints.ts";

it("Complaints: one line of each kind in a while, with how many there were since the last", () => {
  const lines: unknown[] = [];
  const log = {
    ...silentLogger,
    warn: (_: string, { error, alike }: LogFields = {}) =>
      lines.push([(error as Error).message, alike]),
  };
  const clock = { at: 0, now: () => clock.at, sleep: () => Promise.resolve() };
  const complaints = new Complaints(log, clock);
  for (let n = 0; n < 1_000; n++) {
    clock.at = 4 * n;
    complaints.tell(new Error("down"));
  }
  complaints.tell(new Error("another"));
  clock.at = 5_000;
  complaints.tell(new Error("down"));
  expect(lines).toEqual([["down", 0], ["another", 0], ["down", 999]]);
});
