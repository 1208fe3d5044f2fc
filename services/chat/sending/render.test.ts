import { textsIn } from "#platform/messages/texts.ts";
import { describe, expect, it } from "vitest";
import {
  seedEntity,
  seedMember,
  seedOwnership,
  seedSource,
  seedTag,
} from "#test/support/seed/seed.ts";
import { eventually } from "#test/support/eventually.ts";
import { collaboration, running } from "#test/support/chat/collaboration.ts";
import { posted, type Subject } from "./render.ts";

const subject = (more: Partial<Subject> = {}): Subject => ({
  id: 7,
  name: "orders",
  type: "TABLE",
  dataSource: null,
  namespace: null,
  owners: [],
  tags: [],
  groups: [],
  ...more,
});
// deno-lint-ignore no-explicit-any -- blocks of every shape
const textsOf = (blocks: any[]): string[] =>
  blocks.map((block) => block.type === "section" ? block.text.text : block.elements[0].text);
const shown = (text: string, more: Partial<Subject> = {}, author: string | null = "ada") =>
  posted({
    text,
    author,
    subject: subject(more),
    baseUrl: "https://data.example/",
    texts: textsIn("en"),
  });

describe("a posted message", () => {
  it("shows the entity, who writes, the text and where the entity belongs", () => {
    const { text, blocks } = shown("is it late?", {
      dataSource: "warehouse",
      namespace: "sales",
      owners: [{ owner: "ada", title: "Owner" }, { owner: "bob", title: null }],
      tags: ["pii"],
      groups: ["shop", "web"],
    });
    expect(text).toBe("orders: is it late?");
    expect(textsOf(blocks)).toEqual([
      "<https://data.example/dataentities/7/overview|*Table* *orders*> ada writes:",
      "is it late?",
      "Data Source: warehouse, Namespace: sales",
      "Owners: ada (Owner), bob",
      "Tags: pii",
      "Groups: shop, web",
    ]);
  });

  it("names no author who is not known", () => {
    expect(textsOf(shown("x", {}, null).blocks)[0]).toMatch(/\*orders\*>$/);
  });

  it.each([
    ["a mention", "<!channel> <@U1>", "&lt;!channel&gt; &lt;@U1&gt;"],
    ["formatting", "*b* `c` ~d~", "∗b∗ ˋcˋ ∼d∼"],
    ["what nobody sees", "a\u200b\u202eb", "ab"],
  ])("shows %s letter by letter, in every part", (_, given, expected) => {
    const { text, blocks } = shown(given, {
      name: given,
      dataSource: given,
      owners: [{ owner: given, title: given }],
      tags: [given],
    }, given);
    expect(text).toBe(`${expected}: ${expected}`);
    const [title, said, place, owners, tags] = textsOf(blocks);
    expect(title).toBe(
      `<https://data.example/dataentities/7/overview|*Table* *${expected}*> ${expected} writes:`,
    );
    expect([said, place, owners, tags]).toEqual([
      expected,
      `Data Source: ${expected}`,
      `Owners: ${expected} (${expected})`,
      `Tags: ${expected}`,
    ]);
  });

  it.each([
    ["of letters that are escaped", "&".repeat(4_000)],
    ["of words", "late orders ".repeat(333)],
    ["of lines", "late\n".repeat(800)],
    ["of pairs", "😀".repeat(2_000)],
  ])("holds the longest text %s whole, within what the provider takes", (_, text) => {
    const { text: notice, blocks } = shown(text);
    const said = textsOf(blocks).slice(1);
    expect(blocks.length).toBeLessThan(50);
    expect(notice.length).toBeLessThan(1_000);
    for (const part of said) {
      expect(part.length).toBeLessThanOrEqual(3_000);
      expect(part.isWellFormed()).toBe(true);
    }
    expect(said.join("").replaceAll("&amp;", "&")).toBe(text.trim());
  });

  it("cuts long lists and says so", () => {
    const names = Array.from({ length: 200 }, (_, n) => `${"x".repeat(190)}${n}`);
    for (const part of textsOf(shown("x", { tags: names, groups: names }).blocks).slice(2)) {
      expect(part).toMatch(/ … and \d+ more$/);
      expect(part.length).toBeLessThanOrEqual(2_000);
    }
  });
});

describe("what is told of an entity", () => {
  const c = collaboration();

  it("is what holds when the message is sent", async () => {
    const { db } = c.t;
    const sourceId = await seedSource(db, { name: "warehouse", namespace: "sales" });
    const entity = await seedEntity(db, { name: "orders", sourceId });
    const group = await seedEntity(db, { name: "shop", type: "DOMAIN" });
    const gone = await seedEntity(db, { name: "gone", type: "DOMAIN", status: 5 });
    for (const one of [group, gone]) await seedMember(db, one, entity);
    await seedOwnership(db, entity, "ada", "Owner");
    await seedTag(db, entity, "late");
    await seedTag(db, entity, "pii", { important: true });
    await c.post(entity, "hello");
    await running([c.sender()], async () => {
      await eventually(() => expect(c.chat.messages).toHaveLength(1));
    });
    expect(textsOf(c.chat.messages[0]!.blocks)).toEqual([
      `<https://data.example/dataentities/${entity}/overview|*Table* *orders*>`,
      "hello",
      "Data Source: warehouse, Namespace: sales",
      "Owners: ada (Owner)",
      "Tags: pii, late",
      "Groups: shop",
    ]);
  });
});
