import type { Locator } from "playwright-core";

/** Fills the form of a connection to a PostgreSQL with tables in the schema `shop`. */
export async function fillConnection(
  form: Locator,
  url: string,
  password = decodeURIComponent(new URL(url).password),
): Promise<void> {
  const { hostname, port, username, pathname } = new URL(url);
  for (
    const [label, value] of [
      ["Name", "Stock"],
      ["Host", hostname],
      ["Port", port],
      ["Database", pathname.slice(1)],
      ["User", decodeURIComponent(username)],
      ["Password", password],
      ["Include", "shop.*"],
    ] as const
  ) await form.getByLabel(label, { exact: true }).fill(value);
}
