import { textsIn } from "#platform/messages/texts.ts";
import { describe, expect, it } from "vitest";
import type { AlertEventType } from "#contract/alerts.ts";
import { chatBody, chatChannel } from "#services/notifier/channels/chat/send.ts";
import { httpTarget } from "#services/notifier/channels/channel.ts";
import { channelConformance, hostile, largest } from "#test/conformance/channel.ts";
import { httpSubject } from "#test/conformance/channel-http.ts";
import { alertMessage, notifiedEntity } from "#test/support/alerts/alert-messages.ts";

const base = "http://catalogue.example/sub/";
const english = { baseUrl: base, texts: textsIn("en") };

channelConformance({
  name: "chat",
  unescaped: /<[!@#]|<https:\/\/evil|<script|\*b\*|(?<!\p{L})_i_|~s~|`c`|^> |\u202e/mu,
  ...httpSubject(
    (url, timeoutMs) =>
      chatChannel({
        target: httpTarget(url, timeoutMs),
        intervalMs: 1_000,
        baseUrl: () => base,
        texts: english.texts,
      }),
    (sink) =>
      sink.requests.map(({ body }) => ({
        id: null,
        shown: JSON.parse(body).blocks
          // deno-lint-ignore no-explicit-any -- because the receiver reads what it gets
          .flatMap((block: any) => block.elements ?? (block.text ? [block.text] : []))
          .map(({ text }: { text: string }) => text).join("\n"),
      })),
  ),
});

const markup = (text: string) => ({ type: "mrkdwn", text, verbatim: true });
const section = (text: string) => ({ type: "section", text: markup(text) });
const context = (text: string) => ({ type: "context", elements: [markup(text)] });
const divider = { type: "divider" };
const header = (text: string) => ({
  type: "header",
  text: { type: "plain_text", text, emoji: true },
});
const place = [
  context("Data Source: warehouse, Namespace: sales"),
  context("@ada (Owner), @bob"),
];
const ordersLink = "<http://catalogue.example/sub/dataentities/17/overview|*Table* *orders*>";

describe("chatBody", () => {
  it("tells of a new alert with its place, its owners, and what is affected", () => {
    const downstream = [
      notifiedEntity({ id: 20, name: "report", type: "DASHBOARD" }),
      notifiedEntity({ id: 21, name: "events", type: "KAFKA_TOPIC", owners: [] }),
    ];
    expect(chatBody(alertMessage({ downstream }), english)).toEqual({
      blocks: [
        header(":exclamation: Alert: Failed data quality test run"),
        divider,
        section(`${ordersLink}\nrows: 0 of 100`),
        ...place,
        divider,
        section(
          "*Affected data entities*\n" +
            "<http://catalogue.example/sub/dataentities/20/overview|*Dashboard* *report*>\n" +
            "<http://catalogue.example/sub/dataentities/21/overview|*Kafka topic* *events*>",
        ),
        context("@ada (Owner), @bob"),
      ],
    });
  });

  const sign: Record<AlertEventType, [string, string[]]> = {
    CREATED: [":exclamation:", []],
    UPDATED: [":exclamation:", ["It happened again while the alert was open"]],
    RESOLVED: [":white_check_mark:", ["Resolved by @ada"]],
    RESOLVED_AUTOMATICALLY: [":white_check_mark:", ["Resolved automatically"]],
    REOPENED: [":exclamation:", ["Reopened by @ada"]],
  };
  it.each(Object.entries(sign))("says what happened: %s", (event_type, [emoji, sentences]) => {
    const message = alertMessage({
      event_type: event_type as AlertEventType,
      updated_by: event_type === "RESOLVED_AUTOMATICALLY" ? null : "ada",
    });
    expect(chatBody(message, english).blocks).toEqual([
      header(`${emoji} Alert: Failed data quality test run`),
      divider,
      section(`${ordersLink}\nrows: 0 of 100`),
      ...sentences.map(section),
      ...place,
    ]);
  });

  it("calls an alert without an entity one of an unknown entity", () => {
    expect(chatBody(alertMessage({ data_entity: null, alert_chunks: [] }), english).blocks).toEqual(
      [
        header(":exclamation: Alert: Failed data quality test run"),
        divider,
        section("*Unknown entity*"),
      ],
    );
  });

  it("shows the three newest texts, newest first", () => {
    const alert_chunks = [3, 1, 5, 4, 2].map((n) => ({
      alert_id: 1,
      created_at: `2026-01-0${n}T00:00:00Z`,
      description: `text ${n}`,
    }));
    expect(chatBody(alertMessage({ alert_chunks }), english).blocks[2])
      .toEqual(section(`${ordersLink}\ntext 5\ntext 4\ntext 3`));
  });

  it("tells consequences and further changes in sections of their own", () => {
    const { blocks } = chatBody(
      alertMessage({
        consequences: [{ alert_id: 4, alert_type: "FAILED_JOB", data_entity: notifiedEntity() }],
        grouped_events: [{
          alert_id: 5,
          alert_type: "FAILED_JOB",
          event_type: "REOPENED",
          event_at: "2026-01-01T00:00:00.000Z",
        }],
      }),
      english,
    );
    expect(blocks.slice(-4)).toEqual([
      divider,
      section("*Further changes*\nReopened: Failed job run (2026-01-01T00:00:00.000Z)"),
      divider,
      section(`*Consequences downstream*\n${ordersLink}: Failed job run`),
    ]);
  });

  it("keeps names of more than one word part as they are", () => {
    const data_entity = notifiedEntity({ name: "dim__order_lines.v2-a" });
    expect(JSON.stringify(chatBody(alertMessage({ data_entity }), english)))
      .toContain("*dim__order_lines.v2-a*");
  });

  it("stays within the provider's limits and cuts no escape in two", () => {
    const { blocks } = chatBody(largest(), english);
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks) {
      if (block.type === "header") expect(block.text.text.length).toBeLessThanOrEqual(150);
      if (block.type === "section") expect(block.text.text.length).toBeLessThanOrEqual(3_000);
      if (block.type !== "context") continue;
      expect(block.elements.length).toBeLessThanOrEqual(10);
      for (const { text } of block.elements) expect(text.length).toBeLessThanOrEqual(2_000);
    }
    const text = JSON.stringify(blocks);
    expect(text).not.toMatch(/&(?!(?:amp|lt|gt);)/);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/… and \d{4} more/);
  });

  it("leaves nothing of hostile text that the provider would act on", () => {
    const said = alertMessage({
      alert_chunks: [{ alert_id: 1, created_at: "2026-01-01T00:00:00Z", description: hostile }],
    });
    expect(chatBody(said, english).blocks[2]).toEqual(section(
      `${ordersLink}\n&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|click&gt; ` +
        '&lt;script&gt;alert("1")&lt;/script&gt; ∗b∗ ˍiˍ ∼s∼ ˋcˋ &amp; ]]&gt;\n' +
        "› quote\nBcc: all@evil.example\n\nreversed",
    ));
  });

  it.each([
    [":smile:", "꞉smile:"],
    ["a:b:c:", "a꞉b꞉c:"],
    ["::skin-tone-2:", ":꞉skin-tone-2:"],
    [":+1: :no_entry: :it's:", "꞉+1: ꞉no_entry: ꞉it's:"],
    ["12:30:45", "12꞉30:45"],
    [":sm\u200bile:", "꞉smile:"],
    [":\u00adsmile\u2060:", "꞉smile:"],
    ["ratio: 1:2", "ratio: 1:2"],
    ["<!here\u200b> <@U1>", "&lt;!here&gt; &lt;@U1&gt;"],
    ["\u200b> quote", "› quote"],
    ["  > quote", "  › quote"],
    ["*\u200bb*", "∗b∗"],
    ["a\u200b_i_", "a_iˍ"],
    ["👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"],
    ["می\u200cخواهم", "می\u200cخواهم"],
  ])("shows %j letter by letter, in texts and in names", (text, shown) => {
    const description = text;
    const alert_chunks = [{ alert_id: 1, created_at: "2026-01-01T00:00:00Z", description }];
    expect(chatBody(alertMessage({ alert_chunks }), english).blocks[2])
      .toEqual(section(`${ordersLink}\n${shown}`));
    const data_entity = notifiedEntity({
      name: text,
      data_source_name: text,
      namespace_name: null,
      owners: [{ owner_name: text, title_name: text }],
    });
    const { blocks } = chatBody(alertMessage({ data_entity, alert_chunks: [] }), english);
    const line = shown.trim() === "› quote" ? "› quote" : shown;
    expect(blocks.slice(2)).toEqual([
      section(ordersLink.replace("orders*", `${line}*`)),
      context(`Data Source: ${line}`),
      context(`@${line} (${line})`),
    ]);
  });

  it.each(["", " ", "\u200b", "\u200d\u200c", "\u3164 \u00ad", "\ufe0f"])(
    "gives an entity a name that can be seen when its own cannot: %j",
    (name) => {
      const data_entity = notifiedEntity({ name });
      expect(JSON.stringify(chatBody(alertMessage({ data_entity }), english))).toContain(
        "*entity 17*",
      );
    },
  );

  it("takes no longer for long texts that look like markup", () => {
    const begun = performance.now();
    for (
      const unit of [":", ":a", "_", "*", ">", "\u200b", " ", "\n>", "<", "&", "🏳\ufe0f\u200d"]
    ) {
      const text = unit.repeat(1_000_000 / unit.length);
      const alert_chunks = [{ alert_id: 1, created_at: "2026-01-01T00:00:00Z", description: text }];
      const data_entity = notifiedEntity({ name: text, data_source_name: text });
      chatBody(alertMessage({ alert_chunks, data_entity, updated_by: text }), english);
    }
    expect(performance.now() - begun).toBeLessThan(4_000);
  });
});
