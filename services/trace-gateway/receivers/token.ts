import { digestOf, sameDigest } from "#kit/secret.ts";
import { RequestRefused, rpcCode } from "./refusal.ts";

/** Checks the `Authorization` of a request; throws 401. Without a token everybody may send. */
export function tokenCheck(token: string | undefined): (authorization: string | null) => void {
  if (token === undefined) return () => {};
  const wanted = digestOf(token);
  return (authorization) => {
    const given = /^Bearer +([^ ].*)$/i.exec(authorization ?? "")?.[1] ?? "";
    if (sameDigest(digestOf(given.trim()), wanted)) return;
    throw new RequestRefused(401, rpcCode.unauthenticated, "A valid bearer token is needed");
  };
}
