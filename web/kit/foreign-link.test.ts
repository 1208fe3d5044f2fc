import { expect, it } from "vitest";
import { isForeignLink } from "./markdown-text.ts";

const base = "https://data.example/terms/3?tab=overview";

it.each([
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\n//evil.example/x",
  "https://evil.example",
  "https://data.example:8443/",
  "http://data.example/",
  "mailto:ada@evil.example",
  "//",
])("%j leads away", (href) => expect(isForeignLink(href, base)).toBe(true));

it.each(["/terms/4", "#heading", "?tab=links", "./5", "../search", "", "https://data.example/x"])(
  "%j stays",
  (href) => expect(isForeignLink(href, base)).toBe(false),
);
