import { expect, it } from "vitest";
import { type LogFields, silentLogger } from "#kit/log.ts";
import { RejectionLog } from "./answers.ts";

it("Complaints: one line of each kind in a while, with how many there were since the last", () => {
  const lines: unknown[] = [];
  const log = {
    ...silentLogger,
    warn: (_: string, { error, alike }: LogFields = {}) =>
      lines.push([(error as Error).message, alike]),
  };
  const clock = { at: 0, now: () => clock.at, sleep: () => Promise.resolve() };
  const rejections = new RejectionLog(log, clock);
  for (let n = 0; n < 1_000; n++) {
    clock.at = 4 * n;
    rejections.logRejection(new Error("down"));
  }
  rejections.logRejection(new Error("another"));
  clock.at = 5_000;
  rejections.logRejection(new Error("down"));
  expect(lines).toEqual([["down", 0], ["another", 0], ["down", 999]]);
});
