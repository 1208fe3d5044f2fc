import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { AppError, unavailable } from "#kit/errors.ts";
import { newToken, storedTokenOf } from "#kit/secret.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { rememberAccount } from "#services/api/access/callers/person.ts";
import {
  isPersonalToken,
  newPersonalToken,
  type PersonalTokens,
  personalTokens,
} from "#services/api/access/callers/personal-tokens.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type RecordedLine, recordingLogger } from "#test/support/log.ts";
import { noMetrics } from "#kit/metrics.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const start = Date.parse("2030-01-01T12:00:00.000Z");
let now = start;
let usernames: string[];
/** Fails the statements whose name it is. */
let broken: string | undefined;
let lines: RecordedLine[];
let tokens: PersonalTokens;

/** The database, telling the names of the statements that it runs. */
function watched(): Database {
  const query = (statement: Statement, values: unknown[]) => {
    usernames.push(statement.name);
    return statement.name === broken
      ? Promise.reject(unavailable("The metadata store is not available"))
      : t.db.query(statement, values);
  };
  return { query } as unknown as Database;
}

const replica = (log = recordingLogger().log) =>
  personalTokens({
    db: watched(),
    clock: { ...systemClock, now: () => now },
    log,
    metrics: noMetrics,
  });

beforeEach(() => {
  [usernames, broken, now] = [[], undefined, start];
  const recorded = recordingLogger();
  lines = recorded.lines;
  tokens = replica(recorded.log);
});

let serial = 0;
async function given(more: { scope?: string; expires_at?: string; admin?: boolean } = {}) {
  const username = `user ${++serial}`;
  await rememberAccount(t.db, { username, provider: "ldap", admin: more.admin ?? false });
  const value = newPersonalToken();
  const { digest, hint } = storedTokenOf(value);
  const [row] = await t.db.query<{ id: number }>(
    `INSERT INTO personal_token (username, provider, name, scope, expires_at, digest, hint)
     VALUES ($1, 'ldap', 'ci', $2, $3, $4, $5) RETURNING id`,
    [username, more.scope ?? "ALL", more.expires_at ?? null, digest, hint],
  );
  const lastUsed = async () =>
    (await t.db.query<{ at: Date | null }>(
      "SELECT last_used_at AS at FROM personal_token WHERE id = $1",
      [row!.id],
    ))[0]!.at?.getTime() ?? null;
  const revoke = () => t.db.query("DELETE FROM personal_token WHERE id = $1", [row!.id]);
  return { value, username, id: row!.id, lastUsed, revoke };
}

describe("a personal token", () => {
  it("has a beginning that tells it from a collector's", () => {
    expect(isPersonalToken(newPersonalToken())).toBe(true);
    for (const other of ["", newToken(), "trb_", `trb_${newToken()}x`, ` trb_${newToken()}`]) {
      expect(isPersonalToken(other)).toBe(false);
    }
  });

  it("tells the person, as the provider last held it", async () => {
    const { value, username } = await given({ admin: true });
    expect(await tokens.callerOf(value)).toEqual({
      kind: "user",
      name: username,
      provider: "ldap",
      admin: true,
      credential: "personal-token",
    });
    await rememberAccount(t.db, { username, provider: "ldap", admin: false });
    now += 1_000;
    expect(await tokens.callerOf(value)).toMatchObject({ admin: false });
  });

  it("of scope READ may only read", async () => {
    const { value } = await given({ scope: "READ" });
    expect(await tokens.callerOf(value)).toMatchObject({ readOnly: true });
  });

  it("is nobody's when it is unknown; what has not its form is not even looked up", async () => {
    expect(await tokens.callerOf(newPersonalToken())).toBeUndefined();
    expect(usernames).toEqual(["personal-token-by-digest"]);
    const { value } = await given();
    const hash = Array.from(storedTokenOf(value).digest, String).join("");
    for (const other of [newToken(), value.slice(4), hash, "trb_\0", ""]) {
      expect(await tokens.callerOf(other)).toBeUndefined();
    }
    expect(usernames).toHaveLength(1);
  });

  it("ends at its end, be its look-up kept or not", async () => {
    const { value } = await given({ expires_at: new Date(start + 500).toISOString() });
    expect(await tokens.callerOf(value)).toBeDefined();
    now = start + 499;
    expect(await tokens.callerOf(value)).toBeDefined();
    now = start + 500;
    expect(await tokens.callerOf(value)).toBeUndefined();
    expect(await replica().callerOf(value)).toBeUndefined();
  });

  it("that is revoked is nobody's within a second, in every process", async () => {
    const { value, revoke } = await given();
    const other = replica();
    for (const one of [tokens, other]) expect(await one.callerOf(value)).toBeDefined();
    await revoke();
    now += 1_000;
    for (const one of [tokens, other]) expect(await one.callerOf(value)).toBeUndefined();
  });

  it("is looked up once a second, however often it is used", async () => {
    const { value } = await given();
    await Promise.all(Array.from({ length: 20 }, () => tokens.callerOf(value)));
    now += 999;
    await tokens.callerOf(value);
    expect(usernames.filter((name) => name === "personal-token-by-digest")).toHaveLength(1);
  });

  it("cannot be checked while the metadata store is down: 503, and checked again after that", async () => {
    const { value } = await given();
    broken = "personal-token-by-digest";
    await expect(tokens.callerOf(value)).rejects.toMatchObject({ status: 503 } as AppError);
    broken = undefined;
    expect(await tokens.callerOf(value)).toBeDefined();
  });
});

describe("the use of a token", () => {
  it("is noted at most once a minute, by all processes together", async () => {
    const { value, lastUsed } = await given();
    await tokens.callerOf(value);
    await eventually(async () => expect(await lastUsed()).toBe(start));
    now = start + 60_000;
    await Promise.all([tokens.callerOf(value), replica().callerOf(value)]);
    expect(await lastUsed()).toBe(start);
    now = start + 60_001;
    await tokens.callerOf(value);
    await eventually(async () => expect(await lastUsed()).toBe(now));
    await replica().callerOf(value);
    expect(usernames.filter((name) => name === "personal-token-used")).toHaveLength(2);
  });

  it("is logged when it cannot be noted, without the token, and nobody's request fails", async () => {
    const { value, id, lastUsed } = await given();
    broken = "personal-token-used";
    expect(await tokens.callerOf(value)).toBeDefined();
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ level: "warn", fields: { token: id } });
    expect(JSON.stringify(lines)).not.toContain(value);
    expect(await lastUsed()).toBeNull();
  });

  it("makes nobody wait", async () => {
    const { value, id, lastUsed } = await given();
    await t.db.transaction(async (tx) => {
      await tx.query("SELECT FROM personal_token WHERE id = $1 FOR UPDATE", [id]);
      expect(await tokens.callerOf(value)).toBeDefined();
      expect(await lastUsed()).toBeNull();
    });
    await eventually(async () => expect(await lastUsed()).toBe(start));
  });
});
