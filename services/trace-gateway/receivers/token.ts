import { createHash, timingSafeEqual } from "node:crypto";
import { RequestRefused, rpcCode } from "./refusal.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Checks the `Authorization` of a request; throws 401. Without a token everybody may send. */
export function tokenCheck(token: string | undefined): (authorization: string | null) => void {
  if (token === undefined) return () => {};
  const wanted = digest(token);
  return (authorization) => {
    const given = /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1] ?? "";
    // Digests have one length, so the time taken says nothing of the token.
    if (timingSafeEqual(digest(given.trim()), wanted)) return;
    throw new RequestRefused(401, rpcCode.unauthenticated, "A valid bearer token is needed");
  };
}
