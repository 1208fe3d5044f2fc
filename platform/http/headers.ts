/**
 * Security headers of every response: no content sniffing, no framing, no script or other resource, no
 * referrer, and no embedding by other sites.
 */
const everywhere = Object.entries({
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
});

/** Adds those headers to a response, unless it sets them itself. */
export function secured(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of everywhere) if (!headers.has(name)) headers.set(name, value);
  return response;
}
