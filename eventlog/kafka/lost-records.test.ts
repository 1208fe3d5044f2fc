import type { Kafka, Producer } from "kafkajs";
import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { silentLogger } from "#kit/log.ts";
import { Sender } from "#eventlog/kafka/sender.ts";
import type { LostRecords } from "#eventlog/port.ts";

/** A broker with one partition, whose log the test shortens. */
class FakeBroker {
  end = 0;

  asKafka(): Kafka {
    const producer = {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      sendBatch: ({ topicMessages: [{ topic, messages }] }: SentBatch) => {
        const baseOffset = String(this.end);
        this.end += messages.length;
        return Promise.resolve([{ topicName: topic, partition: 0, baseOffset }]);
      },
    };
    return { producer: () => producer as unknown as Producer } as unknown as Kafka;
  }
}

interface SentBatch {
  topicMessages: [{ topic: string; messages: unknown[] }];
}

function subject() {
  const broker = new FakeBroker();
  const lost: LostRecords[] = [];
  const sender = new Sender({
    ...{ kafka: broker.asKafka(), log: silentLogger, metrics: noMetrics, clock: systemClock },
    lost: (records) => void lost.push(records),
  });
  const send = async (records: number) => {
    const one = { key: null, value: new Uint8Array(), headers: {}, partition: 0, bytes: 1 };
    const positions = await sender.send("i.t", "t", Array(records).fill(one), 5_000);
    return positions.map(({ offset }) => offset);
  };
  return { broker, lost, sender, send };
}

describe("a publish", () => {
  it("that gets an offset again fails with 503, and names what was lost", async () => {
    const { broker, lost, send } = subject();
    expect(await send(3)).toEqual([0, 1, 2]);
    expect(await send(2)).toEqual([3, 4]);
    broker.end = 4;
    await expect(send(1)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("partition 0 of t gave offset 4 again, 5 was next"),
    });
    expect(lost).toEqual([{ topic: "t", partition: 0, known: 5 }]);
  });

  it("is taken again once the loss was accepted, and gaps in the offsets are no loss", async () => {
    const { broker, lost, sender, send } = subject();
    await send(3);
    broker.end = 1;
    await expect(send(1)).rejects.toMatchObject({ status: 503 });
    sender.forgetOffsets();
    expect(await send(1)).toEqual([2]);
    broker.end = 10;
    expect(await send(1)).toEqual([10]);
    expect(lost).toHaveLength(1);
  });
});
