import process from "node:process";
import { Kafka, logLevel } from "kafkajs";
import neo4j from "neo4j-driver";

const { env } = process;

/** Removes the data of an instance from the shared Neo4j and Kafka. */
export async function removeTraces(instance: string): Promise<void> {
  await removeGraph(instance);
  await removeTopics(instance);
}

async function removeGraph(instance: string): Promise<void> {
  const driver = neo4j.driver(
    env.TEST_NEO4J_URL!,
    neo4j.auth.basic("neo4j", env.TEST_NEO4J_PASSWORD ?? ""),
  );
  const session = driver.session();
  try {
    for (const label of [`Entity:${instance}`, `Projection:${instance}`]) {
      await session.run(
        `MATCH (n:\`${label}\`) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS`,
      );
    }
    for (const name of ["entity_id", "projection_one"]) {
      await session.run(`DROP CONSTRAINT \`${name}:${instance}\` IF EXISTS`);
    }
  } finally {
    await session.close();
    await driver.close();
  }
}

async function removeTopics(instance: string): Promise<void> {
  const brokers = env.TEST_KAFKA_BROKERS!.split(",");
  const admin = new Kafka({ clientId: "bench", brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((name) => name.startsWith(`${instance}.`));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}
