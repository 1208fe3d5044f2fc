/** Configurations (`auth`) of both ways to sign in elsewhere, with addresses that are never contacted. */
export const oauth2Auth = {
  type: "OAUTH2",
  oauth2: {
    client: { company: { provider: "oidc", "client-id": "c", "issuer-uri": "https://id.invalid" } },
  },
} as const;
export const ldapAuth = {
  type: "LDAP",
  ldap: { url: "ldap://127.0.0.1:1", "dn-pattern": "uid={0},ou=people", base: "dc=example" },
} as const;
