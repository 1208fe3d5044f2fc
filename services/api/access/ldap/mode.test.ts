import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { failuresEveryMs, longestName } from "#services/api/access/ldap/mode.ts";
import { checksBy } from "#services/api/access/ldap/testing/checks.ts";
import { startAdRelay } from "#test/support/sign-in/ad-relay.ts";
import { accounts, people } from "#test/support/sign-in/people.ts";
import {
  type Directory,
  hasDirectory,
  howToInstall,
  startDirectory,
  suffix,
} from "#test/support/sign-in/slapd.ts";

const pattern = { "dn-pattern": "uid={0},ou=people" };
const byMail = { "search-base": "ou=people", filter: "(|(uid={0})(mail={0}))" };
const ada = { username: "ada", provider: "ldap", admin: false };
const down = { status: 503, retryAfter: 5 };

if (hasDirectory()) {
  let directory: Directory;
  beforeAll(async () => {
    directory = await startDirectory(people + accounts);
  });
  afterAll(() => directory.stop());
  const manager = () => ({
    url: directory.url,
    username: directory.manager.dn,
    password: directory.manager.password,
  });
  const bySearch = (more: object = {}) =>
    checksBy({ ...manager(), "user-filter": byMail, ...more });

  describe("LDAP by a pattern of DNs", () => {
    it("lets in whose password is right, and calls them what the directory does", async () => {
      const check = checksBy({ url: directory.url, ...pattern });
      for (const name of ["ada", "ADA", " Ada ", "\tada"]) {
        expect(await check(name, "ada's word"), name).toEqual(ada);
      }
    });
    it("refuses a wrong password and an unknown name alike", async () => {
      const check = checksBy({ url: directory.url, ...pattern });
      expect(await check("ada", "bob's word")).toBeUndefined();
      expect(await check("nobody", "ada's word")).toBeUndefined();
    });
    it("injection into the DN: a name is one value, whatever it holds", async () => {
      const check = checksBy({ url: directory.url, ...pattern });
      expect(await check("admin,ou=elsewhere", "admin's word")).toBeUndefined();
      expect(await check(`admin,ou=elsewhere,${suffix}`, "admin's word")).toBeUndefined();
      expect(await check("bob+uid=bob", "bob's word")).toBeUndefined();
      expect(await check("smith, bob", "comma's word"))
        .toEqual({ ...ada, username: "smith, bob" });
      expect(await check("st*ar (x)\\", "star's word"))
        .toEqual({ ...ada, username: "st*ar (x)\\" });
    });
    it("says so where nobody may read who signed in", async () => {
      const check = checksBy({ url: directory.url, "dn-pattern": "uid={0},ou=hidden" });
      await expect(check("hid", "hid's word")).rejects.toMatchObject({
        ...down,
        cause: { message: expect.stringContaining("auth.ldap.username") },
      });
      const read = checksBy({ ...manager(), "dn-pattern": "uid={0},ou=hidden" });
      expect(await read("hid", "hid's word")).toMatchObject({ username: "hid" });
    });
  });

  describe("LDAP by a search", () => {
    it("one person is one user by whichever attribute they are found", async () => {
      const check = bySearch();
      expect(await check("ada@corp.example", "ada's word")).toEqual(ada);
      expect(await check("ADA", "ada's word")).toEqual(ada);
      expect(await check("ada", "wrong")).toBeUndefined();
    });
    it("tells of the name in the directory before it judges, and refuses when told to", async () => {
      const names: string[] = [];
      const isFurtherName = (name: string) => Promise.resolve(names.push(name) < 2);
      const check = checksBy({ ...manager(), "user-filter": byMail }, { isFurtherName });
      expect(await check("ada@corp.example", "ada's word")).toEqual(ada);
      expect(await check("ada@corp.example", "ada's word")).toBeUndefined();
      expect(names).toEqual(["ada", "ada"]);
    });
    it("answers failures at the same times, whether the name exists or not", async () => {
      const waits: number[] = [];
      const clock = { ...systemClock, sleep: (ms: number) => Promise.resolve(void waits.push(ms)) };
      const check = checksBy({ ...manager(), "user-filter": byMail }, { clock });
      for (const name of ["ada", "nobody", "both@corp.example", "", "x".repeat(300)]) {
        const since = performance.now();
        expect(await check(name, "wrong")).toBeUndefined();
        const answered = (performance.now() - since + waits.pop()!) / failuresEveryMs;
        expect(Math.abs(answered - Math.round(answered))).toBeLessThan(0.1);
      }
      expect(await check("ada", "ada's word")).toEqual(ada);
      expect(waits).toEqual([]);
    });
    it("refuses a name that several people have, and one that lies elsewhere", async () => {
      const check = bySearch();
      expect(await check("both@corp.example", "bob's word")).toBeUndefined();
      expect(await check("admin", "admin's word")).toBeUndefined();
    });
    it("injection into the filter: a name is one value, whatever it holds", async () => {
      const check = bySearch();
      for (const name of ["*", "ad*", "ada)(uid=*", "*)(|(uid=*", "ada)(&", "\\61da", "(", ")"]) {
        expect(await check(name, "ada's word"), name).toBeUndefined();
      }
      expect(await check("st*ar (x)\\", "star's word")).toMatchObject({ username: "st*ar (x)\\" });
    });
    it("refuses an entry without the attribute that names people, and says why", async () => {
      const warned: string[] = [];
      const named = { ...byMail, filter: "(cn={0})" };
      const check = checksBy({ ...manager(), "user-filter": named }, { warned });
      expect(await check("nameless", "nameless's word")).toBeUndefined();
      expect(warned).toEqual([expect.stringContaining("no uid")]);
    });
    it("says that its own account is refused, and not that the password is wrong", async () => {
      const check = bySearch({ password: "not the manager's" });
      await expect(check("ada", "ada's word")).rejects.toMatchObject({
        ...down,
        cause: { message: expect.stringContaining("auth.ldap.password is refused") },
      });
    });
  });

  describe("LDAP groups", () => {
    const groups = { "search-base": "ou=groups", "admin-groups": "stewards, data admins" };
    it("make administrators, by the DN of the entry", async () => {
      const check = checksBy({ url: directory.url, ...pattern, groups });
      expect(await check("ada", "ada's word")).toEqual({ ...ada, admin: true });
      // A member of a group of that name in another unit.
      expect(await check("bob", "bob's word")).toMatchObject({ admin: false });
    });
    it("are searched with the DN escaped", async () => {
      const check = bySearch({ groups: { ...groups, "admin-groups": "comma people" } });
      expect(await check("smith, bob", "comma's word")).toMatchObject({ admin: true });
      expect(await check("st*ar (x)\\", "star's word")).toMatchObject({ admin: false });
    });
    it("are found by the filter of the configuration, in which the name stands as well", async () => {
      const filter = "(&(cn=Stewards)(member={0})(!(cn={1})))";
      const check = bySearch({ groups: { ...groups, filter } });
      expect(await check("ada", "ada's word")).toMatchObject({ admin: true });
    });
  });

  describe("LDAP: what is never asked of the directory", () => {
    it("an empty password, with which it would let in nobody as somebody", async () => {
      for (const check of [checksBy({ url: directory.url, ...pattern }), bySearch()]) {
        expect(await check("ada", "")).toBeUndefined();
      }
    });
    it("a name that is empty, too long, or holds a control character", async () => {
      const check = checksBy({ url: directory.url, ...pattern });
      for (const name of ["", "  ", "ada\0", "a\nda", "a".repeat(longestName + 1), "\ud800"]) {
        expect(await check(name, "ada's word"), JSON.stringify(name)).toBeUndefined();
      }
      expect(await check("ada", "x".repeat(100_000))).toBeUndefined();
    });
  });

  describe("LDAP over TLS", () => {
    const by = (url: string, file: string | undefined, more: object = {}) =>
      checksBy({ url, ...pattern, ssl: { "ca-file": file }, ...more });
    it("trusts the authority of the configuration, by ldaps and by STARTTLS", async () => {
      expect(await by(directory.secured, directory.authority)("ada", "ada's word")).toEqual(ada);
      const started = by(directory.url, directory.authority, { "start-tls": true });
      expect(await started("ada", "ada's word")).toEqual(ada);
    });
    it("gives no password to a directory of another authority, or of none that is known", async () => {
      const strange = by(directory.url, directory.strangeAuthority, { "start-tls": true });
      for (
        const check of [
          strange,
          by(directory.secured, directory.strangeAuthority),
          by(directory.secured, undefined),
        ]
      ) {
        await expect(check("ada", "ada's word")).rejects.toMatchObject({
          ...down,
          cause: { message: expect.stringContaining("certificate") },
        });
      }
    });
    it("does not start with a file that is no certificate", () => {
      expect(() => by(directory.secured, "package.json")).toThrow("auth.ldap.ssl.ca-file");
    });
  });

  describe("LDAP as Active Directory", () => {
    const domain = { enabled: true, domain: "corp.example" };
    const dn = (cn: string) => `cn=${cn},ou=accounts,${suffix}`;
    const dns = new Map([
      ["grace@corp.example", dn("Grace")],
      ["grace.h@corp.example", dn("Grace")],
      ["alan@corp.example", dn("Alan")],
      ["alan@other.example", dn("Abroad")],
      ["twin@corp.example", dn("Second")],
      ["*@corp.example", dn("Alan")],
    ]);
    async function signedIn(name: string, password: string) {
      const relay = await startAdRelay(directory.url, dns);
      const groups = { "search-base": "ou=groups", "admin-groups": "DATA ADMINS" };
      try {
        const settings = { url: relay.url, "active-directory": domain, base: undefined, groups };
        return { user: await checksBy(settings)(name, password), names: relay.names };
      } finally {
        await relay.close();
      }
    }
    it("people bind as name@domain, and groups are those of their entry", async () => {
      const grace = { username: "grace", provider: "ldap", admin: true };
      expect(await signedIn("GRACE", "Grace's word"))
        .toEqual({ user: grace, names: ["GRACE@corp.example"] });
      expect((await signedIn("grace.h@corp.example", "Grace's word")).user).toEqual(grace);
      expect((await signedIn("grace", "wrong")).user).toBeUndefined();
    });
    it("a group of that name in another unit makes nobody an administrator", async () => {
      expect((await signedIn("alan", "Alan's word")).user).toMatchObject({ admin: false });
    });
    it("nobody is taken for an account of the same name, here or in another domain", async () => {
      expect((await signedIn("twin", "Second's word")).user).toBeUndefined();
      expect((await signedIn("alan@other.example", "Abroad's word")).user)
        .toMatchObject({ username: "abroad" });
      expect((await signedIn("*", "Alan's word")).user).toBeUndefined();
    });
  });

  describe("LDAP that is away", () => {
    it("is 503 while it is down or hangs, and works when it is back", async () => {
      const check = checksBy({ url: directory.url, ...pattern });
      await directory.pause();
      await expect(check("ada", "ada's word")).rejects.toMatchObject(down);
      directory.resume();
      expect(await check("ada", "ada's word")).toEqual(ada);
      await directory.kill();
      await expect(check("ada", "ada's word")).rejects.toMatchObject(down);
      await directory.start();
      expect(await check("ada", "ada's word")).toEqual(ada);
    });
  });
} else {
  it(`LDAP is not tested on this machine: ${howToInstall}`, () => {
    expect(hasDirectory()).toBe(false);
  });
}
