import type { Page } from "#platform/http/pages.ts";
import type { Person } from "#services/api/access/callers/person.ts";

/** What a way of signing in knows of somebody who has just signed in. */
export interface SignedIn extends Person {
  /** Whether the provider, or the configuration, holds the user for an administrator. */
  admin: boolean;
  /** What is needed to sign out of the provider as well: an ID token. At most 8 kB. */
  idToken?: string;
}

/** Where an attempt to sign in comes from. */
export interface AttemptOrigin {
  /** Network of the client: its attempts share places in queues. */
  network: string;
  /** Called with another name of the same user before the password is checked; false: the attempt must fail. */
  isFurtherName(name: string): Promise<boolean>;
}

/** Checks user names and passwords (LOGIN_FORM and LDAP). */
export interface PasswordCheck {
  /**
   * Undefined for a wrong name or password. Throws `QueueFullError`, and an `AppError` 503 when it is unreachable.
   * Takes no longer than a few milliseconds of the thread that answers requests.
   */
  check(username: string, password: string, from?: AttemptOrigin): Promise<SignedIn | undefined>;
}

/** An attempt without known origin. */
export const unknownOrigin: AttemptOrigin = {
  network: "unknown",
  isFurtherName: () => Promise.resolve(true),
};

/** A provider that people are sent to (OAUTH2). */
export interface ProviderLink {
  /** As in `/oauth2/authorization/{id}`. */
  id: string;
  /** What people read. */
  title: string;
}

/** Where people are sent off to a provider. */
export const authorizationPath = (id: string): string => `/oauth2/authorization/${id}`;

/** What sign-in pages need of sessions. */
export interface SessionStarter {
  /**
   * Starts a new session and answers with its cookie and a redirect to `returnTo`, which is made safe: only a
   * path of this service is followed. An older session of the request ends. `address`: of the browser, for auditors.
   */
  begin(
    request: Request,
    user: SignedIn,
    returnTo: string | undefined,
    address?: string,
  ): Promise<Response>;
}

/** One way of signing in, by `auth.type`. */
export interface SignInMode {
  /** For the form of the sign-in page; undefined where that shows no form. */
  passwords?: PasswordCheck;
  /** The providers that the sign-in page lists. */
  links: readonly ProviderLink[];
  /** Pages of its own: where the providers send people back to. */
  pages: readonly Page[];
  /** Where to send somebody who has signed out here, to sign out of the provider; undefined: nowhere. */
  signOutUrl?(user: SignedIn): Promise<string | undefined>;
  /**
   * Whether this could be one of its users, as the configuration is now. Sessions and tokens of others, which may be
   * left of another configuration, are good for nothing.
   */
  knows(person: Person): boolean;
  /** Names of providers, for `GET /api/owners/providers`. */
  readonly providers: readonly string[];
}
