/** Where pages of the provider are when its API is reached by another address. */
const ownHost = "slack.com";

/**
 * Whether an address is a page of the provider: at the host of its API, at that of the provider itself, or below one of
 * them. So nobody is sent elsewhere, whatever the API answers.
 */
export function isPageOf(apiUrl: string, page: string): boolean {
  const [api, url] = [URL.parse(apiUrl), URL.parse(page)];
  if (!api || !url || url.username !== "" || url.password !== "") return false;
  const within = (host: string) => url.hostname === host || url.hostname.endsWith(`.${host}`);
  // Without TLS only if the API is called so, at the same address.
  if (url.protocol === "http:") return api.protocol === "http:" && url.host === api.host;
  return url.protocol === "https:" && (within(api.hostname) || within(ownHost));
}
