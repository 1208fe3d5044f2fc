import bcrypt from "bcryptjs";
import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import {
  type CompareHashes,
  loginForm,
  longestPassword,
  usersToHash,
} from "#services/api/access/sign-in/credentials.ts";
import { bob } from "#services/api/access/testing/replicas.ts";

const credentials = {
  hashed: `bob:${bob.hash},eve:${bob.hash}`,
  mixed: `ada:correct horse,bob:${bob.hash}`,
  plain: "ada:correct horse,root:root",
};

/** What a check comes to, and the hashes that the password was compared with. */
async function checked(users: string, name: string, password: string) {
  const auth = Config.parse({ auth: { type: "LOGIN_FORM", "login-form-credentials": users } });
  let compared: string[] = [];
  const compare: CompareHashes = (job) => {
    compared = job.hashes;
    return Promise.resolve(
      job.hashes.filter((hash) => bcrypt.compareSync(job.password, hash)),
    );
  };
  const mode = loginForm({ config: auth, metrics: noMetrics }, compare);
  const user = await mode.passwords!.check(name, password);
  return { user, hashes: compared };
}

describe("timing of password compare", () => {
  it.each(
    [
      ["somebody's right one", "hashed", "bob", bob.password],
      ["somebody's wrong one", "hashed", "bob", "wrong"],
      ["one of nobody", "hashed", "nobody", "wrong"],
      ["one of a member of every object", "hashed", "constructor", "wrong"],
      ["an empty one", "hashed", "bob", ""],
      ["somebody's whose password is plain", "mixed", "ada", "correct horse"],
      ["a wrong one of somebody whose password is plain", "mixed", "ada", "wrong"],
      ["nobody's beside plain ones", "mixed", "nobody", "wrong"],
    ] as const,
  )("%s is compared with one hash, whoever exists", async (_, users, name, password) => {
    expect((await checked(credentials[users], name, password)).hashes).toEqual([bob.hash]);
  });

  it("an unknown user is compared with hashes of the same costs as everybody", async () => {
    const dear = await bcrypt.hash("dear", 6);
    const users = `cheap:${bob.hash},dear:${dear},plain:word`;
    const rounds = async (name: string) =>
      (await checked(users, name, "wrong")).hashes.map((hash) => bcrypt.getRounds(hash));
    for (const name of ["cheap", "dear", "plain", "nobody"]) {
      expect([name, await rounds(name)]).toEqual([name, [4, 6]]);
    }
    expect((await checked(users, "dear", "dear")).user).toMatchObject({ username: "dear" });
    expect((await checked(users, "cheap", "dear")).user).toBeUndefined();
  });

  it("where all passwords are plain none is hashed, whoever exists", async () => {
    for (const name of ["ada", "nobody"]) {
      expect((await checked(credentials.plain, name, "wrong")).hashes).toEqual([]);
    }
  });

  it("what can be nobody's password is refused without a comparison", async () => {
    for (const name of ["bob", "nobody"]) {
      const answer = await checked(credentials.hashed, name, "x".repeat(longestPassword + 1));
      expect(answer).toEqual({ user: undefined, hashes: [] });
    }
  });
});

it("usersToHash: those with plain passwords, but for generated ones of at least 32 characters", () => {
  const users = `short:${"x".repeat(31)},long:${"x".repeat(32)},bob:${bob.hash}`;
  const config = Config.parse({ auth: { "login-form-credentials": users } });
  expect(usersToHash(config)).toEqual(["short"]);
});
