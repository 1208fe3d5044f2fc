import { type AppError, messageOf } from "#kit/errors.ts";
import { type AuditEvent, eventFields, recordAudit } from "#metadata/catalogue/audit.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import { networkOf } from "#kit/network.ts";

/** The user who tries to sign in, as far as known. */
export interface Applicant {
  name: string | null;
  provider: string;
  address: string | undefined;
}

const outcomes = ["signed_in", "failed", "throttled", "unavailable"] as const;
const losable = ["SIGNED_OUT", "SIGN_IN_FAILED", "SIGN_IN_THROTTLED", "REFUSED"] as const;

/** Milliseconds in which the same thing is stored once. */
const onceInMs = 60_000;
/** Things that are remembered for that. */
export const maxRemembered = 10_000;

type AuditDeps = Pick<Context, "db" | "log" | "clock" | "metrics">;

/**
 * Writes sign-ins and refusals to the audit log and the metrics. A successful sign-in must be stored: it rejects
 * when it cannot. What refuses or ends something holds whether it is stored or not: otherwise an outage of the metadata
 * store would keep people signed in. An event that is lost is an error in the log, with all that would have been stored.
 */
export class AccessAudit {
  readonly #signIns;
  readonly #lost;
  readonly #recentlyStored = new Map<string, number>();

  constructor(private readonly deps: AuditDeps) {
    const { metrics } = deps;
    this.#signIns = metrics.counter(
      "tributary_sign_ins_total",
      "Attempts to sign in, by outcome",
      ["outcome"],
    );
    this.#lost = metrics.counter(
      "tributary_audit_lost_total",
      "Audit events that could not be stored; each is in the log",
      ["type"],
    );
    // Rates of a series see its first step only if it was there before.
    for (const outcome of outcomes) this.#signIns.inc({ outcome }, 0);
    for (const type of losable) this.#lost.inc({ type }, 0);
  }

  /** Rejects when it cannot be stored: then nobody may be let in. */
  async signedIn(person: Person, address: string | undefined): Promise<void> {
    await recordAudit(this.deps, { type: "SIGNED_IN", actor: actorOf(person, address) });
    this.#signIns.inc({ outcome: "signed_in" });
  }

  async signedOut(person: Person, address: string | undefined): Promise<void> {
    await this.#writeLosable({ type: "SIGNED_OUT", actor: actorOf(person, address) });
  }

  /** `why`: in words, without secrets. */
  async failed(applicant: Applicant, why?: string): Promise<void> {
    this.#signIns.inc({ outcome: "failed" });
    const subject = why === undefined ? {} : { subject: why };
    await this.#writeLosable({
      type: "SIGN_IN_FAILED",
      actor: { kind: "user", ...applicant },
      ...subject,
    });
  }

  /** Further attempts create at most one event a minute. */
  async throttled(applicant: Applicant): Promise<void> {
    this.#signIns.inc({ outcome: "throttled" });
    if (!this.#isNew(["throttled", networkOf(applicant.address ?? "")])) return;
    await this.#writeLosable({ type: "SIGN_IN_THROTTLED", actor: { kind: "user", ...applicant } });
  }

  /** Logs that nobody can sign in right now. */
  unavailable(error: AppError): void {
    this.#signIns.inc({ outcome: "unavailable" });
    this.deps.log.warn("sign-in is unavailable", { why: messageOf(error.cause ?? error) });
  }

  /**
   * A caller lacked a permission: kept once a minute for each of them, whatever the resource, so that a program which
   * tries again and again fills nothing. Nobody waits for it.
   */
  refused(caller: Caller, permission: string, what: string): void {
    if (!this.#isNew([caller.name, caller.provider, permission])) return;
    void this.#writeLosable({ type: "REFUSED", actor: caller, subject: what });
  }

  async #writeLosable(event: AuditEvent & { type: (typeof losable)[number] }): Promise<void> {
    try {
      await recordAudit(this.deps, event);
    } catch (error) {
      this.#lost.inc({ type: event.type });
      this.deps.log.error("audit event was not stored", { ...eventFields(event), error });
    }
  }

  #isNew(thing: unknown[]): boolean {
    const key = JSON.stringify(thing);
    const now = this.deps.clock.now();
    if (now - (this.#recentlyStored.get(key) ?? -Infinity) < onceInMs) return false;
    this.#recentlyStored.delete(key);
    this.#recentlyStored.set(key, now);
    if (this.#recentlyStored.size > maxRemembered) {
      this.#recentlyStored.delete(this.#recentlyStored.keys().next().value!);
    }
    return true;
  }
}

const actorOf = ({ username: name, provider }: Person, address: string | undefined) =>
  ({ kind: "user", name, provider, address }) as const;
