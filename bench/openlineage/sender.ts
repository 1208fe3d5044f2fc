import { postUntilTaken, sendAll } from "../support/senders.ts";
import type { Subject } from "../support/subject.ts";

/** Concurrent requests, as from a fleet of schedulers. */
export const senders = 32;

/** Posts bodies from several clients at once; resolves when all of them are accepted. */
export async function send(subject: Subject, bodies: string[]): Promise<void> {
  await sendAll(bodies, senders, (body) => post(subject, body));
}

/** Posts one body until it is taken. */
export async function post(subject: Subject, body: string): Promise<void> {
  const text = await postUntilTaken(subject, "/api/v1/lineage", body);
  if (text !== "") throw new Error(`an event was answered ${text}`);
}
