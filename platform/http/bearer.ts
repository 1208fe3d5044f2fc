/** The token of an `Authorization: Bearer` header (RFC 6750); undefined without one. */
export function bearerToken(authorization: string | null): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}
