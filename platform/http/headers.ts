/**
 * What every answer tells a browser: take the content for what it says it is, show it in no frame, run
 * nothing of it, hand its address to nobody, and let no other site embed it.
 */
const everywhere = Object.entries({
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
});

/** The answer with those headers that it does not set itself. */
export function secured(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of everywhere) if (!headers.has(name)) headers.set(name, value);
  return response;
}
