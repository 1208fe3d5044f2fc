import type { Config } from "#platform/config/schema.ts";

/** Roles and policies that are always there; their names cannot be changed. */
export const predefined = {
  /** Role and policy of a user whom the provider lists as an administrator. */
  administrator: "Administrator",
  /** Role of everybody else who has no other. */
  user: "User",
} as const;

/**
 * Whether a user of LOGIN_FORM is an administrator: where no permission is required everybody is, otherwise those whom
 * the configuration names.
 */
export function isFormAdministrator({ auth }: Pick<Config, "auth">, name: string): boolean {
  return !auth["enforce-all-gates"] || auth["login-form-administrators"].includes(name);
}

/**
 * The role of somebody whose owner has none, or who has no owner. `admin`: what the identity provider said, which counts
 * for users of providers only: a session may be older than the configuration.
 */
export function fallbackRole(
  config: Pick<Config, "auth">,
  { name, provider, admin = false }: { name: string | null; provider: string; admin?: boolean },
): string {
  const isAdministrator = config.auth.type === "LOGIN_FORM"
    ? name !== null && provider === "" && isFormAdministrator(config, name)
    : admin;
  return isAdministrator ? predefined.administrator : predefined.user;
}

/** Whether one of these roles is new to somebody who had the others. An administrator had them all. */
export function bringsRights(before: readonly string[], after: readonly string[]): boolean {
  return !before.includes(predefined.administrator) && after.some((role) => !before.includes(role));
}
