import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A personal token and its owner, as they are stored. */
export interface StoredPersonalToken {
  id: number;
  username: string;
  provider: string;
  admin: boolean;
  scope: "READ" | "ALL";
  expires_at: Date | null;
  last_used_at: Date | null;
  /** Null: not bound to a password. */
  credential_stamp: Uint8Array | null;
}

const byDigest = statement<StoredPersonalToken>("personal-token-by-digest")`
  SELECT t.id, t.username, t.provider, a.admin, t.scope, t.expires_at, t.last_used_at, t.credential_stamp
    FROM personal_token t JOIN account a USING (username, provider) WHERE t.digest = $1`;

export async function findToken(db: Queryable, digest: Uint8Array) {
  return (await db.query(byDigest, [digest]))[0];
}

const used = statement("personal-token-used")`
  UPDATE personal_token SET last_used_at = $2
   WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)`;

/** Notes the use of a token at `at`, unless one after `since` is known. */
export async function noteUse(db: Queryable, id: number, at: Date, since: Date): Promise<void> {
  await db.query(used, [id, at, since]);
}

const bound = statement("personal-token-bind")`
  UPDATE personal_token SET credential_stamp = $2 WHERE id = $1 AND credential_stamp IS NULL`;

/** Binds a token of an older release to the password that its user has now. */
export async function bindToken(db: Queryable, id: number, stamp: Uint8Array): Promise<void> {
  await db.query(bound, [id, stamp]);
}
