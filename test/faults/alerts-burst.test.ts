import { describe, expect, it } from "vitest";
import {
  countAttempts,
  expectExplained,
  expectRate,
  isUnsure,
  type LoggedDelivery,
} from "#test/support/alerts/delivery-account.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { Burst, mailboxes } from "./alerts-burst.ts";

const alerts = 1_000;
const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));

describe.each(engineSets())("a burst of alerts, %s engines", (set) => {
  it(`every receiver sick, the notifier killed: all ends, once, and is explained (seed ${seed})`, async () => {
    const burst = await Burst.start(set, alerts, seed);
    try {
      await fates(burst);
      await ends(burst);
      const log = await burst.log();
      const repeats = expectExplained(log, burst.arrivals(log));
      let unseen = 0;
      for (const [channel, max] of Object.entries(burst.concurrency)) {
        const interrupted = countAttempts(log, channel, ({ outcome }) => outcome === "interrupted");
        expect(interrupted).toBeLessThanOrEqual(burst.kills * max);
        unseen += countAttempts(log, channel, isUnsure);
      }
      expect(repeats).toBeLessThanOrEqual(unseen);
      const failed = countAttempts(log, "chat", ({ cause }) => /^no answer/.test(cause ?? ""));
      const times = burst.chat.given.map(({ request }) => request.at);
      expectRate(times, burst.chatIntervalMs, failed);
      expectPauses(burst, log);
      expect(burst.answerKinds()).toEqual(["429", "500", "hangs", "reset", "slow body", "well"]);
    } finally {
      await burst.stop();
    }
  });
});

/** After each 429 that somebody lived to record, the chat is left alone for the second it asked for. */
function expectPauses({ chat }: Burst, log: LoggedDelivery[]): void {
  const throttled = countAttempts(log, "chat", ({ status }) => status === 429);
  const waits = chat.given.flatMap(({ kind, request }, i) =>
    kind === "429" ? (chat.given[i + 1]?.request.at ?? Infinity) - request.at : []
  );
  expect(throttled).toBeGreaterThan(0);
  expect(waits.filter((ms) => ms >= 998).length).toBeGreaterThanOrEqual(throttled);
  expect(countAttempts(log, "email", ({ status }) => status === 450)).toBeGreaterThan(0);
}

async function fates(burst: Burst): Promise<void> {
  await burst.raise();
  await burst.killNotifier(3);
  // Nobody takes mails yet; the others end all the same.
  await burst.ended(burst.hosts.webhook);
  expect(burst.mails()).toEqual([]);
  await burst.openMail();
  await burst.killNotifier(2);
  await burst.restartMail();
}

async function ends(burst: Burst): Promise<void> {
  const { chat, webhook } = burst.hosts;
  await burst.ended(chat, webhook, mailboxes.good, mailboxes.bad);
  const log = await burst.log();
  const failed = log.filter(({ state }) => state !== "delivered");
  expect(new Set(failed.map(({ recipient, state, reason }) => `${recipient} ${state} ${reason}`)))
    .toEqual(new Set([`${mailboxes.bad} failed the recipient is refused (550)`]));
  expect([log.length, failed.length]).toEqual([4 * alerts, alerts]);
}
