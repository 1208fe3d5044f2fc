/** Characters of a token that is looked up; ours are much shorter. */
export const longestToken = 200;

/** The token of an `Authorization: Bearer` header; undefined without one. One that was configured may hold blanks. */
export function bearerToken(authorization: string | null): string | undefined {
  return /^Bearer +([^ ].*)$/i.exec(authorization ?? "")?.[1]?.trim();
}
