import type { Schema } from "#web/api/client.ts";

/** Where mail for a user goes, if the name of the user is an address. */
export function mailOf(user: Schema<"AssociatedUser"> | null | undefined): string | undefined {
  const name = user?.oidc_username ?? "";
  return /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(name) ? name : undefined;
}

/** The link that writes to an address about something. */
export function mailLink(address: string, subject: string): string {
  // An address may hold what would end it in a link, such as a question mark.
  const to = encodeURIComponent(address).replace("%40", "@");
  return `mailto:${to}?subject=${encodeURIComponent(subject)}`;
}
