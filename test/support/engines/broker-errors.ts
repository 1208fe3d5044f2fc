import { createRequire } from "node:module";

type Call = (...args: unknown[]) => Promise<unknown>;
type CallName = "heartbeat" | "joinGroup" | "metadata";

// Not part of kafkajs's interface; it answers as its client sees the broker.
const require = createRequire(import.meta.url);
const calls: Record<CallName, Call> = require("kafkajs/src/broker/index.js").prototype;
const { createErrorFromCode } = require("kafkajs/src/protocol/error.js");

/** Error codes of Kafka's protocol. */
export const brokerErrors = { unknownTopic: 3, loadInProgress: 14, notCoordinator: 16 };

/**
 * The next calls of kafkajs to any broker fail with these codes, `when` their arguments match. `left` is the number that has
 * not failed yet.
 */
export function failNextCalls(
  name: CallName,
  codes: number[],
  when: (...args: unknown[]) => boolean = () => true,
): { left: () => number; restore: () => void } {
  const call = calls[name];
  const codesLeft = [...codes];
  calls[name] = function (this: unknown, ...args) {
    const code = when(...args) ? codesLeft.shift() : undefined;
    return code === undefined ? call.apply(this, args) : Promise.reject(createErrorFromCode(code));
  };
  return { left: () => codesLeft.length, restore: () => void (calls[name] = call) };
}
