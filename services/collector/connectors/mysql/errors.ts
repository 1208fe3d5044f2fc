import type { MysqlSettings } from "#contract/connections/mysql.ts";
import { HostRefused } from "#platform/connections/hosts.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import { SourceError } from "../../connector.ts";

type Words = [reason: string, remedy: string | null];

const late: Words = ["the query took too long", "Raise connections.statement-timeout"];
const signIn: Words = ["the user or the password is wrong", "Enter user and password again"];

const byCode = new Map<string, Words>([
  ["ER_ACCESS_DENIED_ERROR", signIn],
  ["ER_ACCESS_DENIED_NO_PASSWORD_ERROR", signIn],
  ["ER_HOST_NOT_PRIVILEGED", [
    "the server lets no user in from this host",
    "Grant the user access",
  ]],
  ["ER_NOT_SUPPORTED_AUTH_MODE", [
    "the user signs in by a method that is not supported",
    "Use mysql_native_password or caching_sha2_password",
  ]],
  ["ER_SECURE_TRANSPORT_REQUIRED", ["the server demands TLS", "Set TLS to require or verify-full"]],
  ["HANDSHAKE_NO_SSL_SUPPORT", [
    "the server does not offer TLS",
    "Set TLS to prefer or disable, or enable TLS there",
  ]],
  ["ER_CON_COUNT_ERROR", ["the server has no free connection", "Try again later"]],
  ["ER_QUERY_TIMEOUT", late],
  ["ER_STATEMENT_TIMEOUT", late],
  ["PROTOCOL_SEQUENCE_TIMEOUT", late],
]);

/** Numbers of errors of MariaDB that the driver has no code for. */
const byNumber = new Map([[1969, "ER_STATEMENT_TIMEOUT"]]);

/** The code of an error, as the driver or the server calls it. */
export function codeOf(error: unknown): string {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  const known = typeof errno === "number" ? byNumber.get(errno) : undefined;
  return known ?? (typeof code === "string" ? code : "");
}

/** A failure of the driver as a fixed text: what servers say may hold values, addresses and secrets. */
export function sourceError(error: unknown, { host, port }: MysqlSettings): SourceError {
  if (error instanceof SourceError) return error;
  const object = `${host}:${port}`;
  if (error instanceof HostRefused) return new SourceError(object, error.message, error.remedy);
  const code = codeOf(error);
  const known = byCode.get(code);
  const [reason, remedy] = known ?? wordsOf(error, code);
  return new SourceError(object, reason, remedy, error);
}

function wordsOf(error: unknown, code: string): Words {
  if (code.startsWith("ER_")) {
    return [`the server refused with ${code}`, "See the log of the server"];
  }
  return [connectionCause(error), "Check host, port, firewall and TLS"];
}
