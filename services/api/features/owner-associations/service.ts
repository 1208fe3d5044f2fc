import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { badRequest, conflict, forbidden, notFound, requireFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { Permission } from "#contract/permissions.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { bringsRights, fallbackRole } from "#services/api/access/permissions/roles.ts";
import {
  formProvider,
  type Person,
  personInWords,
  personOf,
  samePerson,
  storedProvider,
} from "#services/api/access/callers/person.ts";
import * as queries from "#services/api/features/owner-associations/queries.ts";
import { ownerJson } from "#services/api/features/owners/service.ts";
import type { Answer, MappingForm } from "#services/api/features/owner-associations/schemas.ts";

/** Names of identity providers that are in common use. */
const commonProviders = [
  formProvider,
  "azure",
  "cognito",
  "github",
  "google",
  "keycloak",
  "ldap",
  "okta",
] as const;

type Deps = Pick<Context, "db" | "log">;
type AuthorizedDeps = Deps & Pick<Context, "config"> & {
  authorizer: Pick<Authorizer, "permissionsOf">;
};

/** Statuses that lists can be filtered by; RESOLVED: approved or declined. */
export const requestStatuses = ["PENDING", "APPROVED", "DECLINED", "RESOLVED"] as const;
interface AssociationQuery extends ListQuery {
  status: (typeof requestStatuses)[number];
}

function valuesOf({ status, query = "", ...page }: AssociationQuery) {
  const statuses = status === "RESOLVED" ? ["APPROVED", "DECLINED"] : [status];
  const { limit, offset } = pageWindow(page);
  return [statuses, containsPattern(query), limit, offset];
}

/** One page of requests, newest first; OwnerAssociationRequestList as JSON text. */
export async function listRequests({ db }: Pick<Deps, "db">, query: AssociationQuery) {
  return (await db.query(queries.list, valuesOf(query)))[0]!.json;
}

/**
 * One page of what happened to requests, newest first, by the status that it left them; as JSON text
 * (OwnerAssociationRequestActivityList).
 */
export async function listEvents({ db }: Pick<Deps, "db">, query: AssociationQuery) {
  return (await db.query(queries.events, valuesOf(query)))[0]!.json;
}

/** The newest request of a person (OwnerAssociationRequest); undefined when there is none. */
export async function newestRequest(db: Queryable, { username, provider }: Person) {
  return (await db.query(queries.newest, [username, provider]))[0]?.request;
}

/**
 * Requests to bind the caller to the owner of that name, which is created if missing; OwnerAssociationRequest as
 * JSON text. A caller with DIRECT_OWNER_SYNC is bound immediately; to an owner with roles, or one by whom the caller gets
 * rights that he had not, only with OWNER_RELATION_MANAGE as well: nobody gives himself a right. Throws 400 where nobody is signed in, to programs,
 * and when the owner is bound already; 400 (USR003) while another request of the caller waits.
 */
export async function requestOwner(
  { authorizer, ...context }: AuthorizedDeps,
  actor: Caller,
  name: string,
): Promise<string> {
  const person = signedIn(actor);
  const permissions = await authorizer.permissionsOf(actor);
  const direct = permissions.includes("DIRECT_OWNER_SYNC");
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    if (direct) await tx.query(queries.lockBindings);
    const owner = (await queries.lockOwner(tx, (await ensureNamed(tx, "owner", name))!))!;
    await refuseBound(tx, person, owner);
    const id = await queries.insertRequest(tx, person, owner);
    change.audit("OWNER_REQUESTED", ownerInWords(owner));
    const mayGrant = permissions.includes("OWNER_RELATION_MANAGE");
    const gains = owner.privileged || await getsRights(change, context.config, person, owner);
    if (direct && (mayGrant || !gains)) {
      await bindOwner(change, person, owner, { fulfils: (request) => request.id === id });
    }
    return (await tx.query(queries.asJson, [id]))[0]!.json;
  }, { unique: () => conflict("Your last request still waits for an answer") });
}

/**
 * Answers a request; OwnerAssociationRequest as JSON text. Approval binds the user, and declines other requests of
 * that user or for that owner. Throws 404; 400 when the request was answered already, or its owner is gone or
 * bound to another user; without OWNER_RELATION_MANAGE 403 to a caller who would gain the roles of an owner, or
 * anybody rights that the request does not show.
 */
export async function answer(
  { authorizer, ...context }: AuthorizedDeps,
  actor: Caller,
  id: number,
  status: Answer,
): Promise<string> {
  const permissions = await authorizer.permissionsOf(actor);
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    await tx.query(queries.lockBindings);
    const request = requireFound(
      await tx.query(queries.lockRequest, [id]),
      "Owner association request",
      id,
    );
    if (request.status !== "PENDING") {
      throw badRequest(`Request ${id} is ${request.status} already`);
    }
    if (status === "DECLINED") await answerRequest(change, request, status);
    else await approve(change, context.config, { actor, permissions, request });
    return (await tx.query(queries.asJson, [id]))[0]!.json;
  });
}

/** A request, and who approves it. */
interface Approval {
  actor: Caller;
  permissions: readonly Permission[];
  request: queries.RequestRow;
}

async function approve(
  change: Change,
  config: Context["config"],
  { actor, permissions, request }: Approval,
): Promise<void> {
  const { tx } = change;
  const owner = request.owner_id !== null && await queries.lockOwner(tx, request.owner_id);
  if (!owner) throw badRequest(`Owner ${request.owner_name} is gone: decline the request`);
  if (!permissions.includes("OWNER_RELATION_MANAGE")) {
    const person = personOf(actor);
    const own = person !== undefined && samePerson(person, request);
    if (owner.privileged) {
      if (own) {
        throw needsGrant(`Owner ${owner.name} has roles`, "approve one's own request for it");
      }
    } else if (await getsRights(change, config, request, owner)) {
      const why = `Owner ${owner.name} has no roles, and ${request.username} would lose those`;
      throw needsGrant(`${why} that limit him now`, "approve the request");
    }
  }
  await refuseBound(tx, request, owner);
  await bindOwner(change, request, owner, { fulfils: ({ id }) => id === request.id });
}

const needsGrant = (why: string, what: string) =>
  forbidden(`${why}: OWNER_RELATION_MANAGE is needed to ${what}`);

/** Whether a person gets rights by a locked owner that it does not have now, including by losing the roles of another owner. */
async function getsRights(
  { tx }: Change,
  config: Context["config"],
  { username: name, provider }: Person,
  owner: { id: number },
): Promise<boolean> {
  const [roles] = await tx.query(queries.bindingRoles, [name, provider, owner.id]);
  const { admin, before, after } = roles!;
  const fallback = [fallbackRole(config, { name, provider, admin })];
  const effective = (roles: string[]) => roles.length > 0 ? roles : fallback;
  return bringsRights(effective(before), effective(after));
}

/**
 * Binds a user to an owner, whatever either was bound to before; Owner as JSON text. Answers the requests that
 * this decides. Throws 404 for an unknown owner.
 */
export function bindUser(context: Deps, actor: Actor, form: MappingForm): Promise<string> {
  const person = { username: form.oidc_username, provider: storedProvider(form.provider) };
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await tx.query(queries.lockBindings);
    const owner = await queries.lockOwner(tx, form.owner_id);
    if (!owner) throw notFound("Owner", form.owner_id);
    await bindOwner(change, person, owner, {
      fulfils: (one) => one.owner_id === owner.id && samePerson(one, person),
      manually: true,
    });
    return ownerJson(tx, owner.id);
  });
}

/** Ends the binding of an owner to a user. Throws 404 for an unknown owner and for one that is not bound. */
export async function unbindUser(context: Deps, actor: Actor, ownerId: number): Promise<void> {
  await changing(context, actor, async (change) => {
    await change.tx.query(queries.lockBindings);
    const owner = await queries.lockOwner(change.tx, ownerId);
    if (!owner) throw notFound("Owner", ownerId);
    if (!await unbindOwner(change, owner)) throw notFound("User of owner", ownerId);
  });
}

/** The names of identity providers that are in common use, and those that people can sign in with (ProviderList). */
export function listProviders({ config }: Pick<Context, "config">, configured: readonly string[]) {
  const active = config.auth.type === "LOGIN_FORM" ? [formProvider] : configured;
  return { default_providers: commonProviders, active_providers: active };
}

function signedIn(actor: Caller): Person {
  const person = personOf(actor);
  if (person) return person;
  throw badRequest(
    actor.name === null
      ? "Nobody is signed in: owners are bound to people who sign in (auth.type)"
      : "Owners are bound to people: a program cannot ask for one",
  );
}

/** Throws 400 when anyone is bound to the owner, including the requester. */
async function refuseBound(
  tx: Transaction,
  person: Person,
  owner: { id: number; name: string },
): Promise<void> {
  const holder = (await bindingsOf(tx, person, owner.id))
    .find(({ owner_id }) => owner_id === owner.id);
  if (!holder) return;
  const whom = samePerson(holder, person) ? `${person.username} already` : "another user";
  throw badRequest(`Owner ${owner.name} is bound to ${whom}`, [
    { field: "name", message: "must be the name of an owner that nobody is bound to" },
  ]);
}

/** The bindings of a person, and of an owner. */
const bindingsOf = (tx: Transaction, { username, provider }: Person, owner: number) =>
  tx.query(queries.bindingsOf, [owner, username, provider]);

/** An owner for auditors. */
const ownerInWords = ({ id, name }: { id: number; name: string }): string => `owner ${id} ${name}`;

/** The outcome of the request that a binding fulfils, and how it is recorded. */
interface Fulfilment {
  /** Whether a pending request is the one that is fulfilled; the others are declined. */
  fulfils: (request: queries.RequestRow) => boolean;
  /** Set when a user was bound, and no request answered. */
  manually?: boolean;
}

/**
 * Binds a person to a locked owner, ends what either was bound to before, and answers the pending requests of
 * that person and for that owner.
 */
async function bindOwner(
  change: Change,
  person: Person,
  owner: { id: number; name: string },
  { fulfils, manually }: Fulfilment,
): Promise<void> {
  const { tx } = change;
  const { username, provider } = person;
  const before = await bindingsOf(tx, person, owner.id);
  if (!before.some((one) => one.owner_id === owner.id && samePerson(one, person))) {
    for (const one of before) {
      await unbindOwner(change, { id: one.owner_id, name: one.owner_name });
    }
    await tx.query(queries.bind, [username, provider, owner.id]);
    change.audit("OWNER_BOUND", `${ownerInWords(owner)}: ${personInWords(person)}`);
  }
  for (const request of await tx.query(queries.pendingOf, [owner.id, username, provider])) {
    await answerRequest(change, request, fulfils(request) ? "APPROVED" : "DECLINED", manually);
  }
}

/** Ends the binding of an owner; false when nobody was bound to it. */
async function unbindOwner(
  change: Change,
  owner: { id: number; name: string },
): Promise<boolean> {
  const [person] = await change.tx.query(queries.unbind, [owner.id]);
  if (!person) return false;
  change.audit("OWNER_UNBOUND", `${ownerInWords(owner)}: ${personInWords(person)}`);
  return true;
}

/** Answers a locked request, and writes the audit log. `manually`: by binding a user, not by answering the request. */
async function answerRequest(
  change: Change,
  request: queries.RequestRow,
  status: Answer,
  manually = false,
): Promise<void> {
  const { id, owner_name } = request;
  const { tx, actor } = change;
  const event = `REQUEST_${manually ? "MANUALLY_" : ""}${status}`;
  await tx.query(queries.answer, [id, status, event, actor.name, actor.provider]);
  const subject = `request ${id}: ${personInWords(request)} for owner ${owner_name}`;
  change.audit(`OWNER_REQUEST_${status}`, subject);
}
