import kafkajs from "kafkajs";
import { HostRefused } from "#platform/connections/hosts.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import { SourceError } from "../../connector.ts";

/** The error code of the broker (`TOPIC_AUTHORIZATION_FAILED`), also when the client wrapped the error. */
export function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const type = (at as { type?: unknown }).type;
    if (typeof type === "string") return type;
  }
  return undefined;
}

/** Whether the broker refuses to show something to this user. */
export const isForbidden = (error: unknown) =>
  /_AUTHORIZATION_FAILED$/.test(codeOf(causeOf(error)) ?? "");

/** Whether a topic is not there, or not any more. */
export const isUnknownTopic = (error: unknown) =>
  codeOf(causeOf(error)) === "UNKNOWN_TOPIC_OR_PARTITION";

const causeOf = (error: unknown) => error instanceof SourceError ? error.cause : error;

/** A failure of the client in fixed words: what clients and brokers say may hold addresses and secrets. */
export function sourceError(error: unknown, object: string): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof HostRefused) return new SourceError(object, error.message, error.remedy);
  const [reason, remedy] = wordsOf(error);
  return new SourceError(object, reason, remedy, error);
}

function wordsOf(error: unknown): [reason: string, remedy: string] {
  const code = codeOf(error);
  if (isNamed(error, "KafkaJSSASLAuthenticationError") || code === "SASL_AUTHENTICATION_FAILED") {
    return ["the user or the password is wrong", "Check user, password and SASL mechanism"];
  }
  if (isForbidden(error)) {
    return ["the user lacks a privilege", "Grant DESCRIBE on topics and groups to the user"];
  }
  if (code !== undefined) return [`the broker refused with ${code}`, "See the log of the broker"];
  if (error instanceof kafkajs.KafkaJSRequestTimeoutError) {
    return ["the broker took too long to answer", "Raise connections.statement-timeout"];
  }
  return [connectionCause(error), "Check brokers, their advertised listeners, firewall and TLS"];
}

function isNamed(error: unknown, name: string): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at.name === name) return true;
  }
  return false;
}
