import tls from "node:tls";

type Connect = typeof tls.connect;

let verified = false;

/**
 * Makes the driver's TLS connections reject untrusted certificates. The driver completes the handshake and
 * then checks `socket.authorized`, which is always true in Deno 2.7: an attacker on the network could present
 * any certificate and would receive the password. Only the driver calls with port, host, options and
 * callback. Remove this once the pinned Deno reports the real value.
 */
export function verifyPeers(): void {
  if (verified) return;
  verified = true;
  const connect = tls.connect as (...args: unknown[]) => tls.TLSSocket;
  tls.connect = ((...args: unknown[]) => {
    const [port, host, options, callback] = args;
    if (!isDriverCall(args)) return connect(...args);
    return connect(port, host, { ...options as object, rejectUnauthorized: true }, callback);
  }) as Connect;
}

function isDriverCall([port, host, options, callback]: unknown[]): boolean {
  return typeof port === "number" && typeof host === "string" && typeof options === "object" &&
    typeof callback === "function";
}
