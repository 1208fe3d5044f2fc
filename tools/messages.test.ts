import { describe, expect, it } from "vitest";
import { collaboration, running } from "#test/support/chat/collaboration.ts";
import { chatAnswers } from "#test/support/chat/chat-provider.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { workOf } from "./messages.ts";

const c = collaboration();
const uuid = "01980000-0000-7000-8000-000000000000";

async function run(...args: string[]) {
  let text = "";
  const output = { isTTY: false, write: (more: string) => void (text += more) };
  const code = await workOf(args)!(c.context, output);
  return { code, text };
}

async function failedMessage(): Promise<string> {
  const id = await c.post(await seedEntity(c.t.db), "hello");
  c.chat.answer = chatAnswers.error("msg_blocks_too_long");
  await running([c.sender()], async () => {
    await eventually(async () => expect((await c.messages())[0]!.state).toBe("ERROR_SENDING"));
  });
  c.chat.answer = chatAnswers.properly;
  return id;
}

async function failedReply(): Promise<string> {
  const [row] = await c.t.db.query<{ id: number }>(
    `INSERT INTO chat_event (event_id, state, attempts, cause, channel_id, thread_id, provider_id, text)
     VALUES ('E', 'PROCESSING_FAILED', 5, 'why', 'C1', '1.0', '2.0', 'x') RETURNING id`,
  );
  return String(row!.id);
}

it.each([
  [[]],
  [["more"]],
  [["failed", "--limit", "0"]],
  [["failed", "x"]],
  [["retry"]],
  [["retry", "x"]],
  [["retry", "--all", uuid]],
])("%s is wrong use", (args) => expect(workOf(args)).toBeNull());

describe("npm run messages", () => {
  it("lists what failed, and says why", async () => {
    expect(await run("failed")).toEqual({ code: 0, text: "None failed.\n" });
    const [message, reply] = [await failedMessage(), await failedReply()];
    const { text } = await run("failed");
    expect(text).toMatch(new RegExp(`${message} +message .*general.* refused by the provider`));
    expect(text).toMatch(new RegExp(`${reply} +reply .*C1.* why`));
    expect(JSON.parse((await run("failed", "--json", "--limit", "1")).text)).toHaveLength(1);
  });

  it("tries again what is named, or all of it", async () => {
    const [message, reply] = [await failedMessage(), await failedReply()];
    expect(await run("retry", message, uuid)).toEqual({
      code: 1,
      text: "Put 1 into the queue again.\n1 are unknown, or have not failed.\n",
    });
    expect((await run("retry", reply)).code).toBe(0);
    await running([c.sender(), c.processor()], async () => {
      await eventually(async () => expect((await c.messages())[0]!.state).toBe("SENT"));
    });
    expect(c.chat.messages).toHaveLength(1);
    await c.t.db.query("UPDATE message SET state = 'ERROR_SENDING', provider_id = NULL");
    expect((await run("retry", "--all")).text).toBe("Put 1 into the queue again.\n");
    expect((await run("retry", "--all")).text).toBe("Put 0 into the queue again.\n");
  });
});
