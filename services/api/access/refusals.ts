import { recordAudit } from "#metadata/catalogue/audit.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";

/** Milliseconds in which the same refusal is kept once. */
const onceInMs = 60_000;
/** Refusals that are remembered for that. */
const mostRemembered = 10_000;

/**
 * Keeps for auditors that callers lacked a permission: the same caller and permission once a minute, so that a program
 * that tries again and again fills nothing. Nobody waits for it.
 */
export function refusalAudit(context: Pick<Context, "db" | "log" | "clock">) {
  const kept = new Map<string, number>();
  return (caller: Caller, subject: string): void => {
    const key = JSON.stringify([caller.name, caller.provider, subject]);
    const now = context.clock.now();
    if (now - (kept.get(key) ?? -Infinity) < onceInMs) return;
    kept.delete(key);
    kept.set(key, now);
    if (kept.size > mostRemembered) kept.delete(kept.keys().next().value!);
    recordAudit(context, { type: "REFUSED", actor: caller, subject }).catch((error) =>
      context.log.warn("a refusal was not kept for auditors", { error })
    );
  };
}
