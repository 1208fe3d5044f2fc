import { messageOf } from "#kit/errors.ts";

/** Shorter secrets are not masked: that would blank out half of every text and protect nothing. */
const shortest = 4;

/** Longest first, because one secret may be a prefix of another. */
let known: string[] = [];

/** Keys of the configuration whose values are secrets. */
export const secretKey = /password|token(?!-uri)|secret|credentials|access-key/i;

/** Keys of addresses that contain a password, or that allow to post there. */
const secretUrls = new Set([
  "metadata.lookup.url",
  "notifications.receivers.chat.url",
  "notifications.receivers.webhook.url",
  "genai.url",
]);

/** Whether the value of a configuration key (`a.b-c`, `{n}` or `{id}` for what repeats) is a secret as a whole. */
export function isSecretKey(key: string): boolean {
  return secretUrls.has(key) || isSecretText(key);
}

/** Whether the value of a key is a secret other than an address. Folders of secrets and periods are not secrets. */
function isSecretText(key: string): boolean {
  return secretKey.test(key) && !/(-dir|_days)$/.test(key);
}

/** From now on `masked` hides these texts, also in the encodings that URLs use. */
export function rememberSecrets(secrets: Iterable<string>): void {
  const forms = [...secrets].flatMap((secret) => [
    ...[secret, decoded(secret), JSON.stringify(secret).slice(1, -1)],
    ...[encodeURIComponent, encodeURI].map((encode) => encode(secret.toWellFormed())),
  ]);
  const all = new Set([...known, ...forms.filter((form) => form.length >= shortest)]);
  known = [...all].sort((a, b) => b.length - a.length);
}

/** The text without the configuration's secrets and without passwords in URLs. */
export function masked(text: string): string {
  return withoutUsers(known.reduce((shown, secret) => shown.replaceAll(secret, "***"), text));
}

/** Text for the operator about a fatal error: its message and those of its causes. */
export function failureText(error: unknown): string {
  const lines = [messageOf(error)];
  let at = error instanceof Error ? error.cause : undefined;
  for (; at instanceof Error && lines.length < 10; at = at.cause) lines.push(`  ${messageOf(at)}`);
  return masked(lines.join("\n"));
}

/**
 * The secrets of a configuration, which may be incomplete: values of secret keys, users and passwords in
 * URLs, and the whole of a URL that cannot be parsed.
 */
export function secretsIn(tree: unknown, key = ""): string[] {
  if (tree !== null && typeof tree === "object") {
    return Object.entries(tree).flatMap(([name, value]) => [
      ...(name.includes("://") ? secretsOfAddress(name, key) : []),
      ...secretsIn(value, key === "" ? name : `${key}.${name}`),
    ]);
  }
  if (tree === null || tree === undefined || typeof tree === "boolean") return [];
  const text = String(tree);
  const own = isSecretText(key) ? [text] : [];
  return text.includes("://") ? [...own, ...secretsOfAddress(text, key)] : own;
}

function secretsOfAddress(text: string, key: string): string[] {
  const url = URL.parse(text);
  if (!url) {
    const user = text.slice(text.indexOf("://") + 3, Math.max(text.lastIndexOf("@"), 0));
    return [text, user.slice(user.indexOf(":") + 1)];
  }
  const queryValues = [...url.searchParams].flatMap(([name, value]) =>
    secretKey.test(name) ? value : []
  );
  // The path of a webhook's URL is a secret: it allows to post there.
  const path = /receivers\./.test(key) ? url.pathname + url.search : "";
  return [...queryValues, path, ...(url.password ? [url.password] : [])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `scheme://user:password@host` as `scheme://user:***@host`, in time linear in the text. */
function withoutUsers(text: string): string {
  const parts = text.split("://");
  return parts.map((part, i) => {
    const end = part.search(/[\s/?#"'<>]/);
    const authority = end < 0 ? part : part.slice(0, end);
    const at = authority.lastIndexOf("@");
    const colon = authority.indexOf(":");
    const isAddress = i > 0 && /\w$/.test(parts[i - 1]!.slice(-1));
    if (!isAddress || at < 0 || colon < 0 || colon > at) return part;
    return `${part.slice(0, colon)}:***${part.slice(at)}`;
  }).join("://");
}
