import { setTimeout as pause } from "node:timers/promises";
import type { Subject } from "./subject.ts";

/** Posts bodies from several clients at once; resolves when all of them are taken. */
export async function sendAll(
  bodies: readonly string[],
  clients: number,
  post: (body: string) => Promise<unknown>,
): Promise<void> {
  const queue = [...bodies].reverse();
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await post(next);
  }));
}

/** Posts a body again after 429 and 503, as clients do; resolves with the answer. */
export async function postUntilTaken(
  subject: Subject,
  path: string,
  body: string,
): Promise<string> {
  for (;;) {
    const response = await subject.post(path, body);
    const text = await response.text();
    if (response.ok) return text;
    if (response.status !== 503 && response.status !== 429) {
      throw new Error(`${path} was answered ${response.status} ${text}`);
    }
    await pause(Number(response.headers.get("retry-after") ?? 1) * 1_000);
  }
}
