import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import { HostRefused } from "#platform/connections/hosts.ts";
import { sqlState } from "#metadata/postgres/database.ts";
import { SourceError } from "../../connector.ts";

type Words = [reason: string, remedy: string | null];

const byState = new Map<string, Words>([
  ["28P01", ["the user or the password is wrong", "Enter the password again"]],
  ["28000", ["the server does not let this user in", "Check user, TLS and pg_hba.conf"]],
  ["3D000", ["there is no such database", "Check the name of the database"]],
  ["42501", ["the user lacks a privilege", "Grant the user SELECT on pg_catalog"]],
  ["53300", ["the server has no free connection", "Try again later"]],
  ["57014", ["the query took too long", "Raise connections.statement-timeout"]],
  ["25P03", ["the query took too long", "Raise connections.statement-timeout"]],
  ["55P03", ["a lock was held too long", "Try again later"]],
  ["57P03", ["the server is starting up or shutting down", "Try again later"]],
]);

/**
 * A failure of the driver as a fixed text. What servers and libraries say is never repeated: it may hold values,
 * addresses and secrets.
 */
export function sourceError(error: unknown, settings: PostgresqlSettings): SourceError {
  if (error instanceof SourceError) return error;
  const object = `${settings.host}:${settings.port}/${settings.database}`;
  if (error instanceof HostRefused) {
    return new SourceError(object, error.message, error.remedy);
  }
  const state = sqlState(error);
  const [reason, remedy] = byState.get(state ?? "") ?? wordsOf(error, state);
  return new SourceError(object, reason, remedy, error);
}

function wordsOf(error: unknown, state: string | undefined): Words {
  if (state !== undefined) return [`the server refused with SQLSTATE ${state}`, null];
  const message = error instanceof Error ? error.message : "";
  if (/does not support SSL/.test(message)) {
    return ["the server does not offer TLS", "Set TLS to prefer or disable, or enable TLS there"];
  }
  if (/^Query read timeout$/.test(message)) {
    return ["the query took too long", "Raise connections.statement-timeout"];
  }
  return [connectionCause(error), "Check host, port, firewall and TLS"];
}

/** Whether a failure concerns what was read, and not the connection: then others may be read. */
export function concernsObject(error: unknown): boolean {
  const state = error instanceof SourceError ? sqlState(error.cause) : undefined;
  return state !== undefined && !["08", "28", "53", "57"].includes(state.slice(0, 2)) ||
    state === "57014";
}
