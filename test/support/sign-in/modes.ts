import { people } from "#test/support/sign-in/people.ts";
import {
  type Directory,
  hasDirectory,
  startDirectory,
  suffix,
} from "#test/support/sign-in/slapd.ts";

/** A way of signing in with a name and a password, in which bob is an administrator and ada is not told to be one. */
export interface FormMode {
  /** The part `auth` of the configuration. */
  auth: object;
  /** Name of the provider that whoever signs in is known by; null: none. */
  provider: string | null;
  stop(): Promise<void>;
}

export const passwordOf = (name: "ada" | "bob") => `${name}'s word`;

async function ldap(): Promise<FormMode> {
  const directory: Directory = await startDirectory(people);
  const groups = { "search-base": "ou=groups", "admin-groups": "Readers" };
  const pattern = { base: suffix, "dn-pattern": "uid={0},ou=people", groups };
  return {
    auth: { type: "LDAP", ldap: { url: directory.url, ...pattern } },
    provider: "ldap",
    stop: () => directory.stop(),
  };
}

/** The users of the configuration, whose one is named as an administrator. */
function form(): Promise<FormMode> {
  const users = (["ada", "bob"] as const).map((name) => `${name}:${passwordOf(name)}`).join(",");
  const auth = {
    type: "LOGIN_FORM",
    "login-form-credentials": users,
    "enforce-all-gates": true,
    "login-form-administrators": "bob",
  };
  return Promise.resolve({ auth, provider: null, stop: () => Promise.resolve() });
}

/** The modes that this machine can start, by name. */
export const formModes: Record<string, () => Promise<FormMode>> = {
  ...(hasDirectory() ? { LDAP: ldap } : {}),
  "LOGIN_FORM with all gates": form,
};
