import { expect, it } from "vitest";
import { clientLog } from "#eventlog/kafka/client.ts";
import { systemClock } from "#kit/clock.ts";
import { type LogFields, silentLogger } from "#kit/log.ts";

it("clientLog tells the same complaint once in 30 s, and how often it was left out", () => {
  const lines: LogFields[] = [];
  const log = { ...silentLogger, warn: (_: string, fields: LogFields = {}) => lines.push(fields) };
  let now = 0;
  const logEntry = clientLog({ ...log, warn: (m, f) => void log.warn(m, f) }, {
    ...systemClock,
    now: () => now,
  });
  const complain = (message: string) =>
    logEntry({
      namespace: "Connection",
      level: 2,
      label: "WARN",
      log: { timestamp: "", message, broker: "b:1" },
    });
  for (let i = 0; i < 100; i++) complain("connection refused");
  complain("not the leader");
  now = 30_000;
  complain("connection refused");
  expect(lines.map(({ clientMessage, repeated }) => [clientMessage, repeated])).toEqual([
    ["connection refused", undefined],
    ["not the leader", undefined],
    ["connection refused", 99],
  ]);
});
