import { z } from "@hono/zod-openapi";
import { givenName, StorableText } from "#contract/text.ts";

/** Most patterns of a list, and characters of one. */
const maxPatterns = 200;
const maxPattern = 260;

/** Names and IP addresses; neither a socket's path nor a URL. */
export const SourceHost = givenName({ min: 1, max: 253 }).refine(
  (text) => /^[\p{L}\p{N}._:-]+$/u.test(text),
  { error: "must be a host name or an IP address" },
);

/** `schema.table` with `*` for any characters. */
const patterns = z.array(givenName({ min: 1, max: maxPattern })).max(maxPatterns, {
  error: `must be at most ${maxPatterns} patterns`,
}).default([]);

/** How a connection is encrypted; the names are those of libpq's `sslmode`. */
export const tlsModes = ["disable", "prefer", "require", "verify-full"] as const;

/** Settings of a connection to PostgreSQL. `writeOnly` marks secrets, which no answer shows. */
export const PostgresqlSettings = z.strictObject({
  host: SourceHost.meta({ title: "Host" }),
  port: z.int().min(1).max(65_535).default(5_432).meta({ title: "Port" }),
  database: givenName({ min: 1, max: 63 }).meta({ title: "Database" }),
  user: givenName({ min: 1, max: 63 }).meta({
    title: "User",
    description: "A role that may connect; it needs no other privilege",
  }),
  password: StorableText.max(1_000).optional().meta({
    title: "Password",
    description: "The password itself, ${env:SOURCE_SECRET_…} or ${file:…}",
    writeOnly: true,
  }),
  tls: z.enum(tlsModes).default("prefer").meta({
    title: "TLS",
    description: "As sslmode of libpq; verify-full checks certificate and host name",
  }),
  ca: StorableText.max(20_000).optional().meta({
    title: "Certificate authority",
    description: "PEM of a private certificate authority, for verify-full",
  }),
  include: patterns.meta({
    title: "Include",
    description: "Patterns of schema.table such as sales.*; empty: everything",
  }),
  exclude: patterns.meta({
    title: "Exclude",
    description: "Patterns of schema.table to leave out; stronger than include",
  }),
}).openapi("PostgresqlSettings");
export type PostgresqlSettings = z.output<typeof PostgresqlSettings>;
