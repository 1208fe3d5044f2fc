import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type SeedDelivery, seedDelivery } from "#test/support/seed/seed-delivery.ts";
import { failed } from "./failed.ts";
import { resend } from "./resend.ts";
import type { Subcommand } from "./subcommand.ts";

let t: TestDatabase;
let context: Context;
beforeAll(async () => {
  t = await testDatabase();
  context = testContext(t);
});
afterAll(async () => {
  await context.wakeups.close();
  await t.drop();
});

async function run(subcommand: Subcommand, ...args: string[]) {
  let text = "";
  const output = { isTTY: false, write: (more: string) => void (text += more) };
  const code = await subcommand.parse(args)!(context, output);
  return { code, text };
}
const seed = async (given: SeedDelivery) => (await seedDelivery(t.db, given)).id;
const stateOf = async (id: string) =>
  (await t.db.query<{ state: string }>("SELECT state FROM delivery WHERE id = $1", [id]))[0]!.state;

const uuid = "01980000-0000-7000-8000-000000000000";

it.each([
  [failed, ["more"]],
  [failed, ["--channel", "pigeon"]],
  [failed, ["--limit", "0"]],
  [failed, ["--limit", "1001"]],
  [failed, ["--all"]],
  [resend, []],
  [resend, ["17"]],
  [resend, [uuid, "--all-failed"]],
  [resend, [uuid, "--channel", "chat"]],
  [resend, ["--channel", "chat"]],
  [resend, ["--all-failed", "--channel", "pigeon"]],
])("failed, resend: wrong use %#", (subcommand, args) => {
  expect(subcommand.parse(args)).toBeNull();
});

describe("npm run notifications -- failed", () => {
  it("lists what failed, newest first, with the causes, of one channel or of any", async () => {
    expect((await run(failed)).text).toBe("No delivery has failed.\n");
    await seed({ state: "delivered" });
    const first = await seed({
      state: "failed",
      channel: "chat",
      reason: "not taken (404)",
      createdAt: "2026-01-01T00:00:00Z",
    });
    const second = await seed({
      state: "failed",
      channel: "email",
      recipient: "ada@a.example",
      reason: "the recipient is refused (550)",
      createdAt: "2026-01-02T00:00:00Z",
    });
    const { code, text } = await run(failed);
    expect(code).toBe(0);
    const [head, newer, older, ...rest] = text.trimEnd().split("\n");
    expect(head).toMatch(/^id +failed +channel +recipient +alert +event +attempts +reason$/);
    expect(newer).toMatch(new RegExp(`^${second} .*ada@a.example.*the recipient is refused`));
    expect(older).toMatch(new RegExp(`^${first} .*not taken \\(404\\)$`));
    expect(rest).toEqual([]);
    expect((await run(failed, "--limit", "1")).text).toContain("… and 1 more.");
    const { items } = JSON.parse((await run(failed, "--channel", "chat", "--json")).text);
    expect(items.map((item: { id: string }) => item.id)).toEqual([first]);
  });
});

describe("npm run notifications -- resend", () => {
  it("puts the failed ones into the queue, says why others stay, and ends with 1 then", async () => {
    const id = await seed({ state: "failed" });
    const delivered = await seed({ state: "delivered" });
    const { code, text } = await run(resend, id, delivered, uuid, id);
    expect(code).toBe(1);
    expect(text).toBe(
      "Put 1 into the queue again.\n" +
        `Only a failed delivery can be sent again; ${delivered} is DELIVERED\n` +
        `Delivery ${uuid} was not found\n`,
    );
    expect([await stateOf(id), await stateOf(delivered)]).toEqual(["pending", "delivered"]);
  });

  it("puts all failed ones of a channel into the queue, or of all", async () => {
    await t.db.query("UPDATE delivery SET state = 'delivered'");
    const chat = await seed({ state: "failed", channel: "chat" });
    const email = await seed({ state: "failed", channel: "email" });
    const channel = await run(resend, "--all-failed", "--channel", "chat");
    expect(channel).toEqual({ code: 0, text: "Put 1 into the queue again.\n" });
    expect([await stateOf(chat), await stateOf(email)]).toEqual(["pending", "failed"]);
    expect((await run(resend, "--all-failed")).text).toBe("Put 1 into the queue again.\n");
    expect((await run(resend, "--all-failed")).text).toBe("Put 0 into the queue again.\n");
  });
});
