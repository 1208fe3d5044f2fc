import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Page } from "#platform/http/pages.ts";
import { AccessAudit } from "#services/api/access/audit.ts";
import { authenticatorOf, withoutSignIn } from "#services/api/access/callers/authenticate.ts";
import { policyAuthorizer } from "#services/api/access/permissions/authorize.ts";
import { ldapMode } from "#services/api/access/ldap/mode.ts";
import { oauth2Mode } from "#services/api/access/oauth2/mode.ts";
import { Sessions, sessionStore } from "#services/api/access/sessions/sessions.ts";
import {
  configuredCredentials,
  loginForm,
  usersToHash,
} from "#services/api/access/sign-in/credentials.ts";
import { signInPages } from "#services/api/access/sign-in/pages.ts";
import type { SignInMode } from "#services/api/access/sign-in/port.ts";
import { SessionStart } from "#services/api/access/sign-in/start.ts";
import { AttemptThrottle } from "#services/api/access/callers/throttle.ts";

/** Access control with the pages on which people sign in. */
export interface Access extends AccessControl {
  pages: Page[];
  /** Names of the identity providers that people can sign in with. */
  providers: readonly string[];
}

/**
 * Opens the configured access control; with `auth.type` DISABLED everyone may do everything. A process opens one: its
 * sessions, throttles and caches of rights are shared by all families.
 */
export function openAccess(context: Context): Access {
  const { config, cache, clock } = context;
  const throttle = new AttemptThrottle(cache, clock);
  if (config.auth.type === "DISABLED") {
    return { ...withoutSignIn(context, throttle), pages: [], providers: [] };
  }
  const sessions = new Sessions({
    store: sessionStore(context),
    clock,
    idleMs: config.session["idle-timeout"],
    absoluteMs: config.session["absolute-timeout"],
    maxPerUser: config.session["max-per-user"],
    credentialOf: configuredCredentials(config),
  });
  const audit = new AccessAudit(context);
  const start = new SessionStart(context, { sessions, audit });
  const mode = modeOf(context, { start, throttle, audit });
  return {
    authenticator: authenticatorOf(context, {
      sessions,
      throttle,
      knows: (person) => mode.knows(person),
    }),
    authorizer: policyAuthorizer(context, {
      refused: (...given) => audit.refused(...given),
    }),
    pages: signInPages(context, { mode, start, throttle, audit }),
    providers: mode.providers,
  };
}

function modeOf(context: Context, deps: Parameters<typeof oauth2Mode>[1]): SignInMode {
  const { type } = context.config.auth;
  if (type === "OAUTH2") return oauth2Mode(context, deps);
  if (type === "LDAP") return ldapMode(context);
  warnOfPlainPasswords(context);
  return loginForm(context);
}

function warnOfPlainPasswords({ config, log }: Context): void {
  const plain = usersToHash(config);
  if (plain.length === 0) return;
  log.warn(
    "passwords in auth.login-form-credentials are plain: give their hashes (npm run password)",
    {
      users: plain,
    },
  );
}
