import { freePort } from "../../../tools/engines/process.mjs";

/** A running container; `env` is how tests reach it. */
export interface DockerEngine {
  env: Record<string, string>;
  stop(): Promise<void>;
}

type Testcontainers = typeof import("testcontainers");

/** The container library when a Docker engine answers, else null with the reason. */
export async function dockerEngine(): Promise<{ library: Testcontainers } | { missing: string }> {
  try {
    // Only here, since importing it costs a second and fails on some versions of Node.
    const library = await import("testcontainers");
    await library.getContainerRuntimeClient();
    return { library };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** The same settings as the local engines and docker-compose.yml have. */
export const dockerEngines: Record<
  "kafka" | "neo4j" | "redis",
  (library: Testcontainers) => Promise<DockerEngine>
> = {
  async kafka({ GenericContainer, Wait }) {
    // Clients are sent to the advertised address, so the port must be known before the start.
    const port = await freePort();
    const container = await new GenericContainer("apache/kafka:4.3.1")
      .withExposedPorts({ container: 9092, host: port })
      .withEnvironment(kafkaEnvironment(port))
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start();
    return { env: { TEST_KAFKA_BROKERS: `127.0.0.1:${port}` }, stop: () => stopped(container) };
  },
  async neo4j({ GenericContainer, Wait }) {
    const password = crypto.randomUUID();
    const container = await new GenericContainer("neo4j:5.26.30-community")
      .withExposedPorts(7687)
      .withEnvironment({
        NEO4J_AUTH: `neo4j/${password}`,
        NEO4J_server_memory_heap_max__size: "768m",
        NEO4J_server_memory_pagecache_size: "256m",
      })
      .withWaitStrategy(Wait.forLogMessage(/Started\./))
      .start();
    const url = `bolt://${container.getHost()}:${container.getMappedPort(7687)}`;
    const env = { TEST_NEO4J_URL: url, TEST_NEO4J_PASSWORD: password };
    return { env, stop: () => stopped(container) };
  },
  async redis({ GenericContainer, Wait }) {
    const container = await new GenericContainer("redis:7.4.11-alpine")
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start();
    const url = `redis://${container.getHost()}:${container.getMappedPort(6379)}`;
    return { env: { TEST_REDIS_URL: url }, stop: () => stopped(container) };
  },
};

async function stopped(container: { stop(): Promise<unknown> }): Promise<void> {
  await container.stop();
}

function kafkaEnvironment(port: number): Record<string, string> {
  return {
    KAFKA_NODE_ID: "1",
    KAFKA_PROCESS_ROLES: "broker,controller",
    KAFKA_LISTENERS: "PLAINTEXT://:9092,CONTROLLER://:9093",
    KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
    KAFKA_CONTROLLER_LISTENER_NAMES: "CONTROLLER",
    KAFKA_CONTROLLER_QUORUM_VOTERS: "1@localhost:9093",
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: "false",
    KAFKA_MESSAGE_MAX_BYTES: "25000000",
    KAFKA_REPLICA_FETCH_MAX_BYTES: "25000000",
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: "1",
    KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: "4",
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: "1",
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: "1",
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: "1",
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: "1",
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: "0",
    KAFKA_HEAP_OPTS: "-Xmx512m",
  };
}
