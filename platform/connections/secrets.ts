import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A secret as it is stored: encrypted, or where to find it. */
export type StoredSecret = { sealed: string } | { env: string } | { file: string };

/** Variables that may be named: any other would let a user who creates connections read all of this program's secrets. */
const referencePrefix = "SOURCE_SECRET_";

const reference = /^\$\{(env|file):([^}]{1,200})\}$/;
const variableName = /^SOURCE_SECRET_[A-Z0-9_]{1,100}$/;
const fileName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,100}$/;

/** The reference that a text is; null for a secret itself. Throws an `Error` for a reference that is not allowed. */
export function referenceIn(text: string): StoredSecret | null {
  const [, kind, name] = reference.exec(text) ?? [];
  if (kind === undefined || name === undefined) return null;
  if (kind === "env") {
    if (variableName.test(name)) return { env: name };
    throw new Error(`must name a variable that begins with ${referencePrefix}`);
  }
  if (fileName.test(name)) return { file: name };
  throw new Error("must name a file of connections.secret-dir, without a path");
}

const [ivBytes, tagBytes] = [12, 16];

/** Encrypts secrets with AES-256-GCM, each bound to what it is for: elsewhere it cannot be opened. */
export class SecretBox {
  readonly #key: Uint8Array;

  /** `key`: 32 bytes in Base64. */
  constructor(key: string) {
    this.#key = Buffer.from(key, "base64");
  }

  seal(secret: string, purpose: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv);
    cipher.setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Throws when key, purpose or text is another one. */
  open(text: string, purpose: string): string {
    const bytes = Buffer.from(text, "base64");
    const iv = bytes.subarray(0, ivBytes);
    const decipher = createDecipheriv("aes-256-gcm", this.#key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const opened = decipher.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([opened, decipher.final()]).toString("utf8");
  }
}

/** The box of a configuration; undefined without a key. */
export function secretBoxOf(key: string | undefined): SecretBox | undefined {
  return key === undefined ? undefined : new SecretBox(key);
}
