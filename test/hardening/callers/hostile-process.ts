import process from "node:process";
import { createInterface } from "node:readline";
import { Browser } from "#test/support/sign-in/browser.ts";
import { hostilities, type Target } from "./hostilities.ts";
import type { HostileOrder, HostileResult } from "./hostile.ts";

// A hostile caller in a process of its own, so that it does not delay whoever measures. On its standard input one line
// of JSON; it prints a line when it begins, goes on until its input closes, then prints what it did.
const result: HostileResult = { attempts: 0, answers: {} };

async function attack({ kind, target, cookies }: HostileOrder, stop: AbortSignal): Promise<void> {
  const mallory = new Browser((request) => fetch(request));
  for (const [name, value] of cookies) mallory.cookies.set(name, value);
  const at: Target = { ...target, mallory };
  const { concurrency, once } = hostilities[kind]!;
  await Promise.all(Array.from({ length: concurrency }, async () => {
    while (!stop.aborted) {
      const n = result.attempts++;
      const url = at.urls[n % at.urls.length]!;
      const answer = await once(at, url, n, stop).catch(() => "no answer");
      result.answers[answer] = (result.answers[answer] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }));
}

const ending = new AbortController();
const lines = createInterface({ input: process.stdin });
lines.once("line", (line) => {
  process.stdout.write("begun\n");
  void attack(JSON.parse(line), ending.signal);
});
lines.once("close", () => {
  ending.abort();
  process.stdout.write(JSON.stringify(result), () => process.exit(0));
});
