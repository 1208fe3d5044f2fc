import { afterEach, describe, expect, it } from "vitest";
import type { NotificationChannel } from "#contract/notifications.ts";
import type { Outcome } from "#platform/outbox/queue.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { alertMessage, notifiedEntity } from "#test/support/alerts/alert-messages.ts";

/** A channel with the receiver that it sends to. */
export interface ChannelLab {
  channel: Channel;
  /** Whom a message goes to; the channel's only recipient unless told. */
  recipient?: string;
  /** What arrived, once that is `count` messages: as people see it, and the id that marks a repeat. */
  received(count: number): Promise<{ id: string | null; shown: string }[]>;
  close(): Promise<void>;
}

export interface ChannelSubject {
  name: NotificationChannel;
  /** Words of the configuration and of receivers that no cause may hold. */
  secrets: string[];
  /** Each way in which a receiver may behave, and how an attempt then ends. */
  table: [behaviour: string, open: () => Promise<ChannelLab>, expected: Partial<Outcome>][];
  accepting: () => Promise<ChannelLab>;
  /** Never answers; attempts take at most `timeoutMs`. */
  silent: (timeoutMs: number) => Promise<ChannelLab>;
  /** What text such as `<b>` must not appear as. */
  unescaped: RegExp;
}

/** Text that tries to be more than text. */
export const hostile =
  '<!channel> <@U1> <https://evil.example|click> <script>alert("1")</script> *b* _i_ ~s~ `c` & ]]>\n' +
  "> quote\r\nBcc: all@evil.example\r\n\r\n\u202ereversed\u0000\u0007";

/** What every channel promises. */
export function channelConformance(subject: ChannelSubject): void {
  describe(`channel ${subject.name}`, () => {
    const open: ChannelLab[] = [];
    afterEach(async () => {
      for (const lab of open.splice(0)) await lab.close();
    });
    const labOf = async (opening: () => Promise<ChannelLab>) => {
      const lab = await opening();
      open.push(lab);
      return lab;
    };
    const send = (lab: ChannelLab, message = alertMessage(), deliveryId = "delivery-1") =>
      lab.channel.send(
        { deliveryId, recipient: lab.recipient ?? lab.channel.recipients[0]!, message },
        new AbortController().signal,
      );

    it("names itself and its recipients without a secret", async () => {
      const { channel } = await labOf(subject.accepting);
      expect(channel.name).toBe(subject.name);
      expect(channel.recipients.length).toBeGreaterThan(0);
      withoutSecrets(channel.recipients.join(" "), subject);
    });

    it.each(subject.table)("%s", async (_behaviour, opening, expected) => {
      const lab = await labOf(opening);
      const outcome = await send(lab);
      expect(outcome).toMatchObject(expected);
      if (outcome.kind === "delivered") return;
      expect(outcome.cause.length).toBeGreaterThan(5);
      withoutSecrets(JSON.stringify(outcome), subject);
    });

    it("marks each attempt of a delivery with the same id", async () => {
      const lab = await labOf(subject.accepting);
      await send(lab);
      await send(lab);
      await send(lab, alertMessage(), "delivery-2");
      const [first, second, third] = (await lab.received(3)).map(({ id }) => id);
      expect(second).toBe(first);
      if (first !== null) expect(third).not.toBe(first);
    });

    it("ends an attempt at its time", async () => {
      const lab = await labOf(() => subject.silent(300));
      const begun = performance.now();
      expect(await send(lab)).toMatchObject({ kind: "retry", pausesChannel: true });
      expect(performance.now() - begun).toBeLessThan(3_000);
    });

    it("ends an attempt soon after it is aborted, and holds nothing against the channel", async () => {
      const lab = await labOf(() => subject.silent(60_000));
      const stop = new AbortController();
      const { channel, recipient = channel.recipients[0]! } = lab;
      const sending = channel.send(
        { deliveryId: "d", recipient, message: alertMessage() },
        stop.signal,
      );
      setTimeout(() => stop.abort(), 50);
      expect(await sending).toMatchObject({ kind: "retry", pausesChannel: false });
    });

    it("shows hostile text as text, wherever it stands", async () => {
      const lab = await labOf(subject.accepting);
      const entity = notifiedEntity({
        name: hostile,
        data_source_name: hostile,
        namespace_name: hostile,
        owners: [{ owner_name: hostile, title_name: hostile }],
      });
      const message = alertMessage({
        event_type: "RESOLVED",
        updated_by: hostile,
        data_entity: entity,
        downstream: [{ ...entity, id: 18 }],
        consequences: [{ alert_id: 2, alert_type: "FAILED_JOB", data_entity: entity }],
        alert_chunks: [{ alert_id: 1, created_at: "2026-01-01T00:00:00Z", description: hostile }],
      });
      expect(await send(lab, message)).toMatchObject({ kind: "delivered" });
      const [{ shown } = { shown: "" }] = await lab.received(1);
      expect(shown).toContain("evil.example");
      expect(shown).not.toMatch(subject.unescaped);
    });

    it("delivers the largest messages", async () => {
      const lab = await labOf(subject.accepting);
      expect(await send(lab, largest())).toMatchObject({ kind: "delivered" });
    });

    it("tells of an alert without an entity, and of an entity without anything", async () => {
      const lab = await labOf(subject.accepting);
      expect(await send(lab, alertMessage({ data_entity: null }))).toMatchObject({
        kind: "delivered",
      });
      const bare = notifiedEntity({
        name: null,
        type: null,
        data_source_name: null,
        namespace_name: null,
        owners: [],
      });
      expect(await send(lab, alertMessage({ data_entity: bare }))).toMatchObject({
        kind: "delivered",
      });
      expect(await lab.received(2)).toHaveLength(2);
    });
  });
}

/** 50 descriptions of 10 kB full of markup, 5,000 entities downstream, 1,000 consequences. */
export function largest() {
  const description = "<&>*_~`\u{1f4a5}".repeat(1_200);
  const entities = Array.from({ length: 5_000 }, (_, i) =>
    notifiedEntity({
      id: i + 1,
      name: "<&>".repeat(300),
      owners: [{ owner_name: `owner ${i} & <co>`, title_name: null }],
    }));
  return alertMessage({
    downstream: entities,
    consequences: entities.slice(0, 1_000).map((data_entity) => ({
      alert_id: 2,
      alert_type: "FAILED_DQ_TEST" as const,
      data_entity,
    })),
    grouped_events: entities.slice(0, 1_000).map(({ id }) => ({
      alert_id: id,
      alert_type: "FAILED_JOB" as const,
      event_type: "CREATED" as const,
      event_at: "2026-01-01T00:00:00.000Z",
    })),
    alert_chunks: Array.from({ length: 50 }, (_, i) => ({
      alert_id: 1,
      created_at: new Date(1_767_225_600_000 + i).toISOString(),
      description,
    })),
  });
}

function withoutSecrets(text: string, { secrets }: ChannelSubject): void {
  for (const secret of secrets) expect(text).not.toContain(secret);
}
