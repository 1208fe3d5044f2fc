import { isSecretKey, masked } from "#platform/secrets.ts";

/** What stands where a secret was. */
export const hidden = "***";

/** A configuration without its secrets: values of secret keys, users and passwords in addresses, and queries of these. */
export function withoutSecrets(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, `${key}.{n}`));
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(([name, one]) => [
      masked(name),
      withoutSecrets(one, key === "" ? name : `${key}.${name}`),
    ]);
    return Object.fromEntries(entries);
  }
  if (value === undefined || value === null || typeof value === "boolean") return value;
  if (isSecretKey(key)) return addressOnly(String(value));
  return typeof value === "string" ? masked(addressOf(value)) : value;
}

/** Of a secret that is an address, the host, which shows what is connected. */
function addressOnly(text: string): string {
  const url = URL.parse(text);
  return url?.host ? `${url.protocol}//${url.host}/${hidden}` : hidden;
}

/** An address without user, password and query; any other text as it is. */
function addressOf(text: string): string {
  if (!text.includes("://")) return text;
  const url = URL.parse(text);
  if (!url) return hidden;
  return `${url.protocol}//${url.host}${url.pathname}${url.search ? `?${hidden}` : ""}`;
}
