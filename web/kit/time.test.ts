import { expect, it } from "vitest";
import { durationText } from "#web/kit/time.tsx";

it("a duration is written in the largest unit that it fills", () => {
  const inEnglish = [30, 60, 5_400, 10_800, 86_400, 700_000]
    .map((seconds) => durationText(seconds));
  expect(inEnglish)
    .toEqual(["30 seconds", "1 minute", "2 hours", "3 hours", "1 day", "1 week"]);
});
