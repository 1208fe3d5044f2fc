import { Buffer } from "node:buffer";
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

type JwtPart = Record<string, unknown>;

const encoded = (part: JwtPart) => Buffer.from(JSON.stringify(part)).toString("base64url");
const decoded = (part = ""): JwtPart => JSON.parse(Buffer.from(part, "base64url").toString());

/** An ID token with other claims, signed with `key` as the provider would. */
export function resigned(key: KeyObject, change: JwtPart, head: JwtPart = {}) {
  return (token: string): string => {
    const [header, claims] = token.split(".");
    const text = `${encoded({ ...decoded(header), ...head })}.${
      encoded({ ...decoded(claims), ...change })
    }`;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
}

const otherKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** An ID token of somebody else, signed with a key that is not the provider's. */
export const forged = (change: JwtPart) => resigned(otherKey, change);

/** An ID token without a signature. */
export function unsigned(change: JwtPart) {
  return (token: string): string =>
    `${encoded({ alg: "none" })}.${encoded({ ...decoded(token.split(".")[1]), ...change })}.`;
}

/** An ID token signed by a secret that both sides know, in place of the provider's key. */
export function signedBySecret(secret: string, change: JwtPart) {
  return (token: string): string => {
    const claims = { ...decoded(token.split(".")[1]), ...change };
    const text = `${encoded({ alg: "HS256", kid: "first" })}.${encoded(claims)}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
}

/** An ID token whose claims were changed under its signature. */
export function altered(change: JwtPart) {
  return (token: string): string => {
    const [header, claims, signature] = token.split(".");
    return `${header}.${encoded({ ...decoded(claims), ...change })}.${signature}`;
  };
}
