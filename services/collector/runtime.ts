/** `fetch` that is closed when it is no longer needed. */
export interface OpenedFetch {
  fetch: typeof fetch;
  close(): void;
}

/**
 * `fetch` for one server. Over http it connects to the address that was checked, whatever the name means by now; over https the
 * certificate has to be that of the name, and `ca` may vouch for it.
 */
export function fetchFrom(url: URL, address: string, ca?: string): OpenedFetch {
  const port = Number(url.port) || 80;
  const client = Deno.createHttpClient({
    http2: false,
    ...(ca ? { caCerts: [ca] } : {}),
    ...(url.protocol === "http:"
      ? { proxy: { transport: "tcp", hostname: address, port } as const }
      : {}),
  });
  return {
    fetch: (input, init) => fetch(input as Request, { ...init, client } as never),
    close: () => client.close(),
  };
}
