import { Buffer } from "node:buffer";
import { z } from "zod";
import { digestOf } from "#kit/secret.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import { parseStored } from "#services/api/access/parse-stored.ts";
import type { SessionStore } from "#services/api/access/sessions/port.ts";

const Begun = z.object({ keys: z.array(z.string()) });

/**
 * Which sessions each user has begun, the newest last, so that nobody has more than a number of them. Kept in the store
 * of the sessions, under a key that no id of a session leads to.
 */
export class SessionsOfUser {
  /** The last change of each user's list: they are made one after the other. */
  readonly #changes = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: SessionStore,
    private readonly max: number,
    private readonly ttlMs: number,
  ) {}

  /** Notes a new session; ends those of the user that were begun before the newest `max`. */
  async add(user: Person, key: string): Promise<void> {
    const list = keyOfUser(user);
    const before = this.#changes.get(list) ?? Promise.resolve();
    const change = before.catch(() => {}).then(() => this.#add(list, key));
    this.#changes.set(list, change);
    try {
      await change;
    } finally {
      if (this.#changes.get(list) === change) this.#changes.delete(list);
    }
  }

  async #add(list: string, key: string): Promise<void> {
    const text = await this.store.read(list);
    const begun = text === null ? [] : parseStored(Begun, text)?.keys ?? [];
    const keys = [...begun, key];
    const surplus = keys.splice(0, Math.max(0, keys.length - this.max));
    for (const one of surplus) await this.store.remove(one);
    await this.store.write(list, JSON.stringify({ keys }), this.ttlMs);
  }
}

const keyOfUser = ({ provider, username }: Person) =>
  Buffer.from(digestOf(JSON.stringify(["sessions of", provider, username]))).toString("hex");
