import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  base,
  clientOf,
  type SignInApp,
  signInApp,
} from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type OpenIdProvider, startOpenIdProvider } from "#test/support/sign-in/openid-provider.ts";

/** For the tests of a file: two providers, `one` with claims in user information and `other` in ID tokens. */
export function twoProviders() {
  let database: TestDatabase;
  const providers = new Map<"one" | "other", OpenIdProvider>();
  const opened: SignInApp[] = [];
  const one = () => providers.get("one")!;
  const other = () => providers.get("other")!;
  beforeAll(async () => {
    database = await testDatabase();
    providers.set("one", await startOpenIdProvider({ base, id: "one" }));
    providers.set("other", await startOpenIdProvider({ base, id: "other", inIdToken: true }));
  });
  beforeEach(() => {
    for (const provider of providers.values()) provider.tamper = undefined;
    one().user = { sub: "1", preferred_username: "ada" };
    other().user = { sub: "2", preferred_username: "bob" };
  });
  afterEach(async () => {
    for (const app of opened.splice(0)) await app.close();
  });
  afterAll(async () => {
    for (const provider of providers.values()) await provider.close();
    await database.drop();
  });
  return {
    one,
    other,
    database: () => database,
    /** The service with clients at both, or with these. */
    app(given: Parameters<typeof signInApp>[2] = {}, client?: object): SignInApp {
      const both = { one: clientOf(one()), other: clientOf(other()) };
      const made = signInApp(database, client ?? both, given);
      opened.push(made);
      return made;
    },
    /** What was stored last for auditors. */
    async lastAudited(): Promise<Record<string, string>> {
      const [event] = await database.db.query<Record<string, string>>(
        "SELECT type, actor_provider, address, subject FROM audit_event ORDER BY id DESC LIMIT 1",
      );
      return event!;
    },
  };
}
