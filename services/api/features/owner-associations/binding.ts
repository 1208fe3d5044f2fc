import type { Change } from "#metadata/catalogue/changing.ts";
import { type Person, personInWords, samePerson } from "#services/api/access/callers/person.ts";
import * as bindings from "#services/api/features/owner-associations/bindings.queries.ts";
import * as queries from "#services/api/features/owner-associations/queries.ts";
import type { Answer } from "#services/api/features/owner-associations/schemas.ts";

/** An owner for auditors. */
export const ownerInWords = ({ id, name }: { id: number; name: string }): string =>
  `owner ${id} ${name}`;

/** The outcome of the request that a binding fulfils, and how it is recorded. */
export interface Fulfilment {
  /** Whether a pending request is the one that is fulfilled; the others are declined. */
  fulfils: (request: queries.RequestRow) => boolean;
  /** Set when a user was bound, and no request answered. */
  manually?: boolean;
}

/**
 * Binds a person to a locked owner, ends what either was bound to before, and answers the pending requests of
 * that person and for that owner.
 */
export async function bindOwner(
  change: Change,
  person: Person,
  owner: { id: number; name: string },
  { fulfils, manually }: Fulfilment,
): Promise<void> {
  const { tx } = change;
  const before = await bindings.bindingsOf(tx, person, owner.id);
  if (!before.some((one) => one.owner_id === owner.id && samePerson(one, person))) {
    for (const one of before) {
      await unbindOwner(change, { id: one.owner_id, name: one.owner_name });
    }
    await bindings.bind(tx, person, owner.id);
    change.audit("OWNER_BOUND", `${ownerInWords(owner)}: ${personInWords(person)}`);
  }
  for (const request of await queries.pendingOf(tx, person, owner.id)) {
    await answerRequest(change, request, fulfils(request) ? "APPROVED" : "DECLINED", manually);
  }
}

/** Ends the binding of an owner; false when nobody was bound to it. */
export async function unbindOwner(
  change: Change,
  owner: { id: number; name: string },
): Promise<boolean> {
  const person = await bindings.unbind(change.tx, owner.id);
  if (!person) return false;
  change.audit("OWNER_UNBOUND", `${ownerInWords(owner)}: ${personInWords(person)}`);
  return true;
}

/** Answers a locked request, and writes the audit log. `manually`: by binding a user, not by answering the request. */
export async function answerRequest(
  change: Change,
  request: queries.RequestRow,
  status: Answer,
  manually = false,
): Promise<void> {
  const event = `REQUEST_${manually ? "MANUALLY_" : ""}${status}` as const;
  await queries.answerRequest(change.tx, request.id, status, event, change.actor);
  const subject = `request ${request.id}: ${
    personInWords(request)
  } for owner ${request.owner_name}`;
  change.audit(`OWNER_REQUEST_${status}`, subject);
}
