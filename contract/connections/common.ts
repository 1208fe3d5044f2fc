import { z } from "@hono/zod-openapi";
import { givenName, StorableText } from "#contract/text.ts";

/** Most patterns of a list, and characters of one. */
const maxPatterns = 200;
const maxPattern = 260;

/** Longest secret, and longest PEM, in characters. */
const maxSecret = 1_000;
const maxPem = 20_000;

/** Names and IP addresses; neither a socket's path nor a URL. */
export const SourceHost = givenName({ min: 1, max: 253 }).refine(
  (text) => /^[\p{L}\p{N}._:-]+$/u.test(text),
  { error: "must be a host name or an IP address" },
);

export const SourcePort = z.int().min(1).max(65_535);

/** Names with `*` for any characters. */
const patterns = z.array(givenName({ min: 1, max: maxPattern })).max(maxPatterns, {
  error: `must be at most ${maxPatterns} patterns`,
}).default([]);

/** The settings `include` and `exclude`, of names such as `of` with an example. */
export const patternSettings = (of: string, example: string) => ({
  include: patterns.meta({
    title: "Include",
    description: `Patterns of ${of} such as ${example}; empty: everything`,
  }),
  exclude: patterns.meta({
    title: "Exclude",
    description: `Patterns of ${of} to leave out; stronger than include`,
  }),
});

/** A setting that no answer shows. */
export const secretSetting = (title: string, description = "") =>
  StorableText.max(maxSecret).optional().meta({
    title,
    description: `${description}The value itself, \${env:SOURCE_SECRET_…} or \${file:…}`,
    writeOnly: true,
  });

/** PEM of a private certificate authority. */
export const authoritySetting = (description: string) =>
  StorableText.max(maxPem).optional().meta({ title: "Certificate authority", description });

/** An address of HTTP without credentials and query: those would be stored and shown. */
export const SourceUrl = givenName({ min: 1, max: 1_000 }).refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "" && url.search === "" && url.hash === "";
}, { error: "must be an http or https address without user, password and query" });

/** How a connection is encrypted; the names are those of libpq's `sslmode`. */
export const tlsModes = ["disable", "prefer", "require", "verify-full"] as const;
