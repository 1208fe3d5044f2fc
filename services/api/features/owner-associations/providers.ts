import type { Context } from "#platform/context.ts";

/** How people who sign in with the form are told from others; they have no provider. */
const loginForm = "LOGIN_FORM";

/** Names of identity providers that are in common use. */
export const commonProviders = [
  loginForm,
  "LDAP",
  "azure",
  "cognito",
  "github",
  "google",
  "keycloak",
  "okta",
] as const;

/** Names of what people can sign in with, by the configuration. */
export function configuredProviders({ config }: Pick<Context, "config">): string[] {
  const { type } = config.auth;
  return type === "LOGIN_FORM" || type === "LDAP" ? [type] : [];
}

/** A provider as it is stored: empty for the users of the form. */
export function storedProvider(given: string | null | undefined): string {
  return !given || given === loginForm ? "" : given;
}
