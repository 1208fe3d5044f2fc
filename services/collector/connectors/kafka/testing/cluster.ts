import type { Admin } from "kafkajs";
import { KafkaSettings } from "#contract/connections/kafka.ts";
import { kafkaClient } from "#eventlog/kafka/client.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import { kafkaBrokers } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import type { Session } from "../../../connector.ts";
import { type RecordedServer, recordedServer } from "../../../testing/server.ts";
import { plainSession } from "../../../testing/source.ts";
import { recordedAnswers } from "./recorded.ts";

type More = Partial<Omit<Session<KafkaSettings>, "settings">> & {
  settings?: Partial<KafkaSettings>;
};

/** A session over brokers; topics of other tests are left out. */
export function kafkaSession(brokers: string[], { settings: given, ...more }: More = {}) {
  const settings = KafkaSettings.parse({ brokers, ...given });
  return {
    ...plainSession(),
    settings,
    secrets: new Map([["registry_password", "s3cret-registry"]]),
    source: sourceCatrn("kafka", settings),
    ...more,
  } satisfies Session<KafkaSettings>;
}

/** Topics and a group of a shop on the broker of the tests, with a recorded registry and Kafka Connect. */
export interface ShopCluster {
  prefix: string;
  registry: RecordedServer;
  connect: RecordedServer;
  session(more?: More): Session<KafkaSettings>;
  drop(): Promise<void>;
}

/** Makes the topics and the group of a shop. */
export async function shopCluster(): Promise<ShopCluster> {
  const brokers = kafkaBrokers();
  const prefix = `shop${crypto.randomUUID().slice(0, 8)}`;
  const { registry: ofRegistry, connect: ofConnect } = recordedAnswers(prefix);
  const [registry, connect] = [await recordedServer(ofRegistry), await recordedServer(ofConnect)];
  const topics = ["orders", "visits", "events", "shop.customers"].map((one) => `${prefix}.${one}`);
  await withAdmin(brokers, async (admin) => {
    await admin.createTopics({
      waitForLeaders: false,
      topics: topics.map((topic) => ({
        topic,
        numPartitions: 3,
        configEntries: [{ name: "retention.ms", value: "3600000" }],
      })),
    });
    await eventually(() => admin.fetchTopicMetadata({ topics }));
    for (const topic of topics.slice(0, 2)) {
      const partitions = [{ partition: 0, offset: "0" }];
      await eventually(() => admin.setOffsets({ groupId: `${prefix}-billing`, topic, partitions }));
    }
  });
  const session = ({ settings, ...more }: More = {}) =>
    kafkaSession(brokers, {
      settings: {
        include: [`${prefix}.*`],
        registry_url: registry.url,
        registry_user: "reader",
        connect_url: connect.url,
        ...settings,
      },
      ...more,
    });
  return {
    ...{ prefix, registry, connect, session },
    async drop() {
      await withAdmin(brokers, async (admin) => {
        await admin.deleteTopics({ topics });
        await admin.deleteGroups([`${prefix}-billing`]);
      });
      await Promise.all([registry.close(), connect.close()]);
    },
  };
}

async function withAdmin(brokers: string[], work: (admin: Admin) => Promise<void>): Promise<void> {
  const options = { brokers, instance: "shop", replicationFactor: 1, sessionMs: 6_000 };
  const rest = { log: silentLogger, metrics: noMetrics, clock: systemClock };
  const admin = kafkaClient({ ...options, ...rest }).admin();
  await admin.connect();
  await work(admin).finally(() => admin.disconnect());
}
