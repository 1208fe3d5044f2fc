import { unavailable } from "#kit/errors.ts";
import { type ObjectStorage, requireKey } from "#storage/port.ts";

type Call = "put" | "get" | "delete";

/** Objects in memory, with faults when a test asks for them. */
export class TestStorage implements ObjectStorage {
  readonly engine = "local";
  readonly objects = new Map<string, Uint8Array>();
  /** Largest object that was written, bytes. */
  largest = 0;
  /** Runs before a call; may reject, or never resolve, as a process that ends there would. */
  before: (call: Call, key: string) => Promise<void> = () => Promise.resolve();
  /** Runs after the effect of a call, in the same way. */
  after: (call: Call, key: string) => Promise<void> = () => Promise.resolve();

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#during("put", key, () => {
      this.largest = Math.max(this.largest, bytes.length);
      this.objects.set(requireKey(key), bytes.slice());
    });
  }

  async get(key: string): Promise<Uint8Array | null> {
    return await this.#during("get", key, () => this.objects.get(requireKey(key)) ?? null);
  }

  async delete(key: string): Promise<void> {
    await this.#during("delete", key, () => void this.objects.delete(requireKey(key)));
  }

  /** Every call fails from now on, as it does while the engine is down. */
  goDown(): void {
    this.before = () => Promise.reject(unavailable("The storage of attachments is not available"));
  }

  /** No faults any more. */
  fix(): void {
    this.before = this.after = () => Promise.resolve();
  }

  async #during<T>(call: Call, key: string, work: () => T): Promise<T> {
    await this.before(call, key);
    const result = work();
    await this.after(call, key);
    return result;
  }
}
