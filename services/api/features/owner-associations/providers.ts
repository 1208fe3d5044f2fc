/** How people who sign in with the form are told from others; they have no provider. */
export const loginForm = "LOGIN_FORM";

/** Names of identity providers that are in common use. */
export const commonProviders = [
  loginForm,
  "azure",
  "cognito",
  "github",
  "google",
  "keycloak",
  "ldap",
  "okta",
] as const;

/** A provider as it is stored: empty for the users of the form. */
export function storedProvider(given: string | null | undefined): string {
  return !given || given === loginForm ? "" : given;
}
