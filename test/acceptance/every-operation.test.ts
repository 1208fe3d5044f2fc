import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { publishedRoutes } from "#services/api/openapi.ts";
import { ownerAssociationRoutes } from "#services/api/features/owner-associations/routes.ts";
import { personalTokenRoutes } from "#services/api/features/personal-tokens/routes.ts";
import { journey } from "#test/acceptance/client.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type Answer, testApi, testContext } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { rows } from "#test/support/statements/rows.ts";
import { access, signedIn } from "#test/support/walk/access.ts";
import { describing } from "#test/support/walk/describing.ts";
import { ingesting } from "#test/support/walk/ingesting.ts";
import { managing } from "#test/support/walk/managing.ts";
import type { FoundIds, Step } from "#test/support/walk/step.ts";

// The clients of tests hold each answer to its declared schema. Here, and in statement-counts.test.ts, each operation is
// called once with success, so that the answer of none goes without.

const features = "services/api/features";

/** Operations that need another service or what is not JSON, or that only wait for somebody else: the folder whose tests call them. */
const elsewhere: Record<string, string[]> = {
  [`${features}/attachments`]: [
    "uploadFileChunk",
    "cancelFileUpload",
    "completeFileUpload",
    "downloadFile",
    "deleteFile",
  ],
  [`${features}/changes`]: ["getChanges"],
  [`${features}/demonstration`]: ["loadDemonstration"],
  [`${features}/genai`]: ["genAiQuestion"],
  [`${features}/lookup-tables/files`]: ["importLookupTable"],
  [`${features}/messages`]: [
    "getDataEntityMessages",
    "getMessages",
    "getChannels",
    "getChatChannels",
    "postMessageInChat",
    "redirect",
    "receiveChatEvent",
  ],
  [`${features}/notifications`]: ["getNotificationDelivery", "resendNotificationDelivery"],
  [`${features}/ops`]: ["verifyProjection", "getSupportBundle"],
  [`${features}/owner-associations`]: ["updateOwnerAssociationRequest"],
  [`${features}/renames`]: ["getConnectionRenames", "carryOverRename", "dismissRename"],
  [`${features}/uploads`]: ["describeFile"],
};

const routes = new Map(publishedRoutes().map(({ spec }) => [spec.id, spec]));
const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/** One test for each step, in order. */
function walk(
  steps: Step[],
  send: (method: string, path: string, body?: unknown) => Promise<Answer>,
): void {
  const found: FoundIds = {};
  it.each(steps.map((step, n) => [step[0], n] as const))(
    "%s answers as declared",
    async (id, n) => {
      const [, call, keep] = steps[n]!;
      const [method, path, body] = call(found);
      const declared = routes.get(id)!;
      expect(method.toLowerCase()).toBe(declared.method);
      expect(path.split("?")[0]).toMatch(patternOf(declared.path));
      const { status, text, json } = await send(method, path, body);
      expect([status, status < 300 ? "" : text]).toEqual([expect.any(Number), ""]);
      if (keep) Object.assign(found, keep(json));
    },
  );
}

const ofAnybody: Step[] = [...ingesting, ...describing, ...managing, ...access];

journey("every operation", (client) => {
  walk(ofAnybody, (...request) => client().send(...request));
});

describe("every operation of somebody who has signed in", () => {
  let t: TestDatabase;
  let context: Context;
  beforeAll(async () => {
    t = await testDatabase();
    context = testContext(t);
  });
  afterAll(async () => {
    await context?.wakeups.close();
    await t?.drop();
  });

  walk(signedIn, (...request) => {
    const own = [...personalTokenRoutes(context), ...ownerAssociationRoutes(context)];
    return testApi(calledBy("ada", own), context).send(...request);
  });
});

describe("operations of the OpenAPI documents", () => {
  const called = new Set([...Object.keys(rows), ...[...ofAnybody, ...signedIn].map(([id]) => id)]);
  const there = Object.values(elsewhere).flat();

  it("are each called with success by a client that checks the answer", () => {
    expect([...routes.keys()].filter((id) => !called.has(id) && !there.includes(id))).toEqual([]);
    expect(there.filter((id) => called.has(id) || !routes.has(id))).toEqual([]);
  });

  it.each(Object.entries(elsewhere))(
    "are called by the tests of %s where listed",
    (folder, ids) => {
      const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.test\.ts$|testing\//.test(file))
        .map((file) => readFileSync(`${folder}/${file}`, "utf8"));
      const text = texts.join("\n");
      // A stream of events has no schema.
      expect(text).toMatch(
        ids.includes("getChanges")
          ? /createApp/
          : /testApi|featureUnderTest|Demonstration\.parse\(/,
      );
      for (const id of ids) {
        const words = routes.get(id)!.path.split("/").filter((part) => !part.startsWith("{"));
        expect([id, text.includes(words.at(-1)!)]).toEqual([id, true]);
      }
    },
  );
});
