import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { PostgresqlSettings as Settings } from "#contract/connections/postgresql.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import { Config } from "#platform/config/schema.ts";
import { namingSettings } from "#platform/naming/openlineage/names.ts";
import type { Finding, Item, Session } from "../connector.ts";

/** Settings and secrets of a connection to the database at a URL. */
export function settingsOf(url: string, more: Partial<PostgresqlSettings> = {}) {
  const { hostname: host, port, username, password, pathname } = new URL(url);
  const given = {
    host,
    port: Number(port),
    database: pathname.slice(1),
    user: decodeURIComponent(username),
    tls: "disable",
    include: ["shop.*"],
    ...more,
  };
  return { settings: Settings.parse(given), password: decodeURIComponent(password) };
}

/** What a session of any connector has in tests, where all hosts are allowed. */
export const plainSession = (): Pick<
  Session,
  "address" | "statementTimeoutMs" | "naming" | "folders" | "signal"
> => ({
  address: (host) => Promise.resolve(host),
  statementTimeoutMs: 10_000,
  naming: namingSettings(Config.parse({}).openlineage),
  folders: [],
  signal: new AbortController().signal,
});

/** A session of a connector over the database at a URL. */
export function sessionOver(
  url: string,
  more: Partial<Omit<Session<PostgresqlSettings>, "settings">> & {
    settings?: Partial<PostgresqlSettings>;
  } = {},
): Session<PostgresqlSettings> {
  const { settings: given, ...rest } = more;
  const { settings, password } = settingsOf(url, given);
  return {
    ...plainSession(),
    settings,
    secrets: new Map([["password", password]]),
    source: sourceCatrn("postgresql", settings),
    ...rest,
  };
}

/** Everything that a connector finds. */
export async function allOf(findings: AsyncIterable<Finding>): Promise<Finding[]> {
  const all: Finding[] = [];
  for await (const finding of findings) all.push(finding);
  return all;
}

export const itemsOf = (findings: Finding[]): Item[] =>
  findings.flatMap((one) => one.kind === "item" ? [one.item] : []);

/** A shop with most of what a database can hold, in the schema `shop`. */
export const shop = `
  CREATE SCHEMA shop;
  CREATE TYPE shop.state AS ENUM ('new', 'paid');
  CREATE TABLE shop.customers (id int PRIMARY KEY, name text NOT NULL, email varchar(200) UNIQUE);
  COMMENT ON TABLE shop.customers IS 'Who buys';
  COMMENT ON COLUMN shop.customers.email IS 'For invoices';
  CREATE TABLE shop.orders (
    id bigint PRIMARY KEY, customer_id int NOT NULL REFERENCES shop.customers (id),
    total numeric(10, 2), state shop.state DEFAULT 'new', tags text[], placed timestamptz NOT NULL);
  CREATE TABLE shop.events (at date NOT NULL, what jsonb) PARTITION BY RANGE (at);
  CREATE TABLE shop.events_2030 PARTITION OF shop.events FOR VALUES FROM ('2030-01-01') TO ('2031-01-01');
  CREATE TABLE shop."Bestellungen – 注文/заказы ""quoted""" ("id %" int, "größe" text);
  CREATE VIEW shop.revenue AS
    SELECT c.name AS customer, sum(o.total) AS revenue, max(o.placed) AS last
      FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.id
     WHERE o.state = 'paid' GROUP BY c.name;
  CREATE MATERIALIZED VIEW shop.best AS
    WITH ranked AS (SELECT customer, revenue, revenue / sum(revenue) OVER () AS share FROM shop.revenue)
    SELECT customer, share FROM ranked UNION ALL SELECT 'nobody', 0 LIMIT 10;
  CREATE VIEW shop.contacts AS
    SELECT email, (SELECT count(*) FROM shop.orders o WHERE o.customer_id = c.id) AS orders FROM shop.customers c;`;
