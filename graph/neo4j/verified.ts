import tls from "node:tls";

type Connect = typeof tls.connect;

let verified = false;

/**
 * Makes the driver's TLS connections fail at a certificate that is not to be trusted. The driver lets
 * the handshake pass and asks `socket.authorized` afterwards, which Deno 2.7 answers with true always:
 * anybody on the way could show a certificate of his own and be told the password. Only the driver
 * calls with port, host, options and callback. Drop this once the pinned Deno tells the truth.
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
