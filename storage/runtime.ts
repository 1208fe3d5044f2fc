/**
 * `fetch` over HTTP/1.1, which is what object stores speak; it also trusts the certificate authorities of this PEM
 * text.
 */
export function fetchTrusting(ca: string | undefined): typeof fetch {
  const client = Deno.createHttpClient({ http2: false, ...(ca ? { caCerts: [ca] } : {}) });
  return (input, init) => fetch(input as Request, { ...init, client } as never);
}
