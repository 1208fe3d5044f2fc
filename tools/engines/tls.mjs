import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Certificates and password of an engine with TLS.
 * @typedef {object} Tls
 * @property {string} ca PEM of the authority
 * @property {string} cert PEM for `localhost` and 127.0.0.1
 * @property {string} key PEM (PKCS #8)
 * @property {string} password of the user `neo4j`, of Kafka's `tributary`, of Redis
 */

/**
 * SASL over TLS, in addition to the plain listeners.
 * @param {number} port
 * @param {number} controller
 * @param {number} secured
 * @param {Tls} tls
 */
export function kafkaTls(port, controller, secured, { cert, key, password }) {
  const sasl = "listener.name.secured";
  const plain = "org.apache.kafka.common.security.plain.PlainLoginModule";
  const scram = "org.apache.kafka.common.security.scram.ScramLoginModule";
  const inOneLine = (/** @type {string} */ pem) => pem.trim().replaceAll("\n", "\\n");
  return {
    "listeners":
      `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller},SECURED://127.0.0.1:${secured}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${port},SECURED://127.0.0.1:${secured}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURED:SASL_SSL",
    [`${sasl}.ssl.keystore.type`]: "PEM",
    [`${sasl}.ssl.keystore.certificate.chain`]: inOneLine(cert),
    [`${sasl}.ssl.keystore.key`]: inOneLine(key),
    [`${sasl}.sasl.enabled.mechanisms`]: "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
    [`${sasl}.plain.sasl.jaas.config`]: `${plain} required user_tributary="${password}";`,
    [`${sasl}.scram-sha-256.sasl.jaas.config`]: `${scram} required;`,
    [`${sasl}.scram-sha-512.sasl.jaas.config`]: `${scram} required;`,
  };
}

/**
 * Accepts only TLS on the Bolt port.
 * @param {string} directory
 * @param {Tls} tls
 */
export function neo4jTls(directory, { cert, key }) {
  const folder = join(directory, "certificates");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "private.key"), key, { mode: 0o600 });
  writeFileSync(join(folder, "public.crt"), cert);
  return {
    "server.bolt.tls_level": "REQUIRED",
    "dbms.ssl.policy.bolt.enabled": true,
    "dbms.ssl.policy.bolt.base_directory": folder,
    "dbms.ssl.policy.bolt.private_key": "private.key",
    "dbms.ssl.policy.bolt.public_certificate": "public.crt",
    "dbms.ssl.policy.bolt.client_auth": "NONE",
  };
}

/**
 * Server arguments: only TLS, with a password. In a file, since everybody can read a command line.
 * @param {string} directory
 * @param {number} port
 * @param {Tls} tls
 */
export function redisTls(directory, port, { ca, cert, key, password }) {
  for (const [name, text] of [["ca.crt", ca], ["redis.crt", cert], ["redis.key", key]]) {
    writeFileSync(join(directory, String(name)), String(text), { mode: 0o600 });
  }
  const file = join(directory, "redis.conf");
  const lines = [
    ...["port 0", `tls-port ${port}`, "tls-auth-clients no", `requirepass ${password}`],
    ...["tls-cert-file redis.crt", "tls-key-file redis.key", "tls-ca-cert-file ca.crt"],
  ];
  writeFileSync(file, lines.join("\n"), { mode: 0o600 });
  return [file];
}
