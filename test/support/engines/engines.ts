const addresses = ["TEST_KAFKA_BROKERS", "TEST_NEO4J_URL", "TEST_REDIS_URL"];

/**
 * Whether tests use the distributed engines next to the embedded ones: with
 * `TRIBUTARY_TEST_DISTRIBUTED=1`, where an engine that is missing is a failure and not a skip, or
 * when the addresses of all of them are given.
 */
export function distributed(): boolean {
  return process.env.TRIBUTARY_TEST_DISTRIBUTED === "1" ||
    addresses.every((name) => process.env[name]);
}

/** `host:port` of each Kafka broker. Throws when unset. */
export function kafkaBrokers(): string[] {
  return required("TEST_KAFKA_BROKERS").split(",");
}

export function neo4jOptions(): { url: string; username: string; password: string } {
  return {
    url: required("TEST_NEO4J_URL"),
    username: "neo4j",
    password: required("TEST_NEO4J_PASSWORD"),
  };
}

/** Throws when unset. */
export function redisUrl(): string {
  return required("TEST_REDIS_URL");
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the distributed suites need that engine`);
  return value;
}
