import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anonymous } from "#contract/actor.ts";
import { permissions } from "#contract/permissions.ts";
import { forbidden, unauthenticated } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl, Authorizer } from "#platform/operations/access.ts";
import type { Service } from "#platform/service.ts";
import { personalTokens } from "#services/api/access/callers/personal-tokens.ts";
import { ownerAssociationRoutes } from "#services/api/features/owner-associations/routes.ts";
import { apiService } from "#services/api/service.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { callerFrom } from "#test/support/http/caller.ts";

const users = { SESSION: "ada", MANAGER: "manager" };

const authorizer: Authorizer = {
  async authorize(caller, needed) {
    if (needed === "anonymous" || needed === "collector") return;
    if (caller.name === null) throw unauthenticated("Sign in first");
    if (needed === "signed-in") return;
    if (!(await this.permissionsOf(caller)).includes(needed.permission)) throw forbidden("No");
  },
  authorizeEntities: () => Promise.resolve(),
  permissionsOf: ({ name }) => Promise.resolve(name === "manager" ? permissions : []),
  permissionsOn: (caller) => authorizer.permissionsOf(caller),
};

/** A session cookie is the name of its user; only the manager has permissions. */
function accessFor(context: Context): AccessControl {
  const tokens = personalTokens(context);
  const authenticate = async ({ headers }: Request) => {
    const user = /\bSESSION=(\w+)/.exec(headers.get("cookie") ?? "")?.[1];
    const token = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    const caller = token === undefined ? user && callerFrom(user) : await tokens.callerOf(token);
    return caller || anonymous;
  };
  return { authenticator: { authenticate }, authorizer };
}

const service: Service = {
  ...apiService,
  create(context) {
    const made = apiService.create(context);
    const access = accessFor(context);
    const others = made.routes.filter(({ spec }) => spec.tag !== "ownerAssociationRequest");
    return {
      ...made,
      access,
      routes: [...others, ...ownerAssociationRoutes(context, { ...access, providers: [] })],
    };
  },
};

let instance: Instance;
beforeAll(async () => void (instance = await startInstance("embedded", { services: [service] })));
afterAll(() => instance?.stop());

describe.each(["docs/operate/audit.md", "docs/integrate/tokens.md", "docs/use/owners.md"])(
  "%s",
  (file) => {
    const examples = examplesOf(readFileSync(file, "utf8"));

    it("marks its commands for this test", () => expect(examples).not.toEqual([]));

    it.each(examples.map((e) => [e.title, e] as const))(
      "shows what really comes: %s",
      async (_, { command, output }) => {
        const script = command.replaceAll("http://127.0.0.1:8080", instance.url);
        expect(await outputOf(script, users)).toBe(output);
      },
    );
  },
);

it("each event for auditors is one line of the log", () => {
  const lines = instance.logs.map((line) => JSON.parse(line))
    .filter(({ message }) => message === "audit");
  expect(lines.map(({ type, actor }) => `${type} ${actor}`)).toContain("OWNER_BOUND manager");
  expect(lines.find(({ type }) => type === "TOKEN_MINTED")).toMatchObject({
    level: "info",
    actor: "manager",
    kind: "user",
    address: null,
    subject: "collector 1 nightly",
  });
});
