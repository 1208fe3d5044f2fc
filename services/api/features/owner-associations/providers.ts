import { formProvider } from "#services/api/access/callers/person.ts";

/** Names of identity providers that are in common use. */
export const commonProviders = [
  formProvider,
  "azure",
  "cognito",
  "github",
  "google",
  "keycloak",
  "ldap",
  "okta",
] as const;
