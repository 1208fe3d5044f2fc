import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";

const fromYaml = (text: string, env: Record<string, string> = {}) => {
  const file = join(mkdtempSync(join(tmpdir(), "links-")), "tributary.yaml");
  writeFileSync(file, text);
  return loadConfig({ env, file }).catalog.links;
};
const inFile = `catalog:
  links:
    - { title: Wiki, url: "https://wiki.example" }
    - title: Chat
      url: http://chat.example/rooms?x=1
`;
const wiki = { title: "Wiki", url: "https://wiki.example" };
const chat = { title: "Chat", url: "http://chat.example/rooms?x=1" };

describe("catalog.links", () => {
  it("are none unless configured", () => {
    expect([fromYaml(""), fromYaml("catalog: { links: [] }")]).toEqual([[], []]);
  });

  it("are a list in the file", () => expect(fromYaml(inFile)).toEqual([wiki, chat]));

  it("are a variable for each member in the environment, in order of their places", () => {
    const env = {
      CATALOG_LINKS_10_TITLE: "Chat",
      CATALOG_LINKS_10_URL: chat.url,
      CATALOG_LINKS_2_TITLE: "Wiki",
      CATALOG_LINKS_2_URL: wiki.url,
    };
    expect(fromYaml("", env)).toEqual([wiki, chat]);
  });

  it("are changed and followed by those of the environment", () => {
    const env = {
      CATALOG_LINKS_0_TITLE: "Handbook",
      CATALOG_LINKS_2_TITLE: "Third",
      CATALOG_LINKS_2_URL: "https://third.example",
    };
    expect(fromYaml(inFile, env)).toEqual([
      { ...wiki, title: "Handbook" },
      chat,
      { title: "Third", url: "https://third.example" },
    ]);
  });

  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      "a scheme that runs code",
      '[{ title: x, url: "javascript:alert(1)" }]',
      {},
      /links\.0\.url: the value given must be an http/,
    ],
    ["no URL", "[{ title: x, url: wiki }]", {}, /links\.0\.url: the value given must be/],
    ["no title", '[{ url: "https://a" }]', {}, /links\.0\.title: nothing/],
    ["a blank title", '[{ title: " ", url: "https://a" }]', {}, /links\.0\.title: " "/],
    [
      "a member that is none",
      '[{ titel: x, title: x, url: "https://a" }]',
      {},
      /links\.0\.titel: unknown key; the nearest is catalog\.links\.0\.title/,
    ],
    ["no list", "{ wiki: { title: x } }", {}, /catalog\.links/],
    [
      "a variable that is none",
      "[]",
      { CATALOG_LINKS_0_TITEL: "x" },
      /CATALOG_LINKS_0_TITEL: unknown key; the nearest is CATALOG_LINKS_0_TITLE/,
    ],
    [
      "a place that is none",
      "[]",
      { CATALOG_LINKS_A_TITLE: "x" },
      /CATALOG_LINKS_A_TITLE: unknown key/,
    ],
    [
      "a variable without the other",
      "[]",
      { CATALOG_LINKS_0_TITLE: "x" },
      /links\.0\.url: the value given/,
    ],
  ])("refuse %s", (_, links, env, message) => {
    expect(() => fromYaml(`catalog: { links: ${links} }`, env)).toThrow(message);
  });

  it("are not too many", () => {
    const many = JSON.stringify(Array.from({ length: 101 }, () => wiki));
    expect(() => fromYaml(`catalog: { links: ${many} }`)).toThrow(/catalog\.links.*at most 100/);
  });
});
