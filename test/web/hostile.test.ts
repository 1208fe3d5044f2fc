import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { closePages, sharedBrowser, visit } from "#test/support/web/browser.ts";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";

const markup = `<img src=x onerror=alert(1)><script>alert(2)</script>"'><svg onload=alert(3)>`;
const link =
  "[press](javascript:alert(4)) <a href='javascript:alert(5)'>me</a> <javascript:alert(6)>";
const sent =
  `${markup} ${link} ![x](x" onerror="alert(7)) <iframe srcdoc="<script>alert(8)</script>">`;
/** Texts that break interfaces, by what they are. */
const names: Record<string, string> = {
  markup,
  long: `long ${"w".repeat(900)}`,
  words: `words ${"many words ".repeat(80)}`,
  bidi: "bidi \u202Egnp.exe\u202C \u2066isolate \u0627\u0644\u0639\u0631\u0628\u064A\u0629",
  zero: "\u200B\u200D\u2060",
  zalgo: `zalgo ${"Z\u0335\u0321\u0322\u035C".repeat(60)}`,
  proto: "__proto__ constructor {{7*7}} ${7*7} %00 ../../etc",
};
const source = "//postgresql/host/hostile.example/databases/h";
const catrnOf = (kind: string) => `${source}/tables/${kind}`;

let site: Instance;
let browser: Browser;
const ids: Record<string, number> = {};
let term: number;
let example: number;

beforeAll(async () => {
  if (!ensureWebBuilt(".")) throw new Error("The web interface could not be built");
  site = await startInstance("embedded");
  browser = await sharedBrowser();
  await ingest();
  for (const kind of [...Object.keys(names), "job"]) {
    const path = `/api/dataentities?page=1&size=1&catrn=${encodeURIComponent(catrnOf(kind))}`;
    ids[kind] = (await site.json(path) as { items: { id: number }[] }).items[0]!.id;
  }
  await describe();
});
afterAll(async () => {
  await closePages(browser);
  await site?.stop();
});

/** Sends it, and expects that it is taken. */
async function done(method: string, path: string, body: unknown): Promise<{ id: number }> {
  const answer = await site.send(method, path, body);
  const text = await answer.text();
  expect([path, answer.status, answer.ok ? "" : text]).toEqual([path, answer.status, ""]);
  return text.startsWith("{") ? JSON.parse(text) : { id: 0 };
}

async function ingest(): Promise<void> {
  await done("POST", "/ingestion/datasources", {
    items: [{ name: markup, catrn: source, description: sent }],
  });
  const fields = Object.values(names).map((name, at) => ({
    catrn: `${catrnOf("markup")}/columns/${at}`,
    name,
    description: sent,
    type: { type: "TYPE_STRING", logical_type: markup, is_nullable: true },
    tags: [{ name: markup }],
  }));
  const tables = Object.entries(names).map(([kind, name]) => ({
    catrn: catrnOf(kind),
    name,
    type: "TABLE",
    description: sent,
    tags: [{ name: markup }, { name: names.bidi }],
    metadata: [{
      schema_url: "https://x.example/m.json#/a",
      metadata: { [markup]: sent, n: name },
    }],
    dataset: { field_list: kind === "markup" ? fields : [] },
  }));
  const job = {
    catrn: catrnOf("job"),
    name: markup,
    type: "JOB",
    data_transformer: {
      sql: `SELECT '${sent}'`,
      source_code_url: "javascript:alert(9)",
      inputs: ["markup", "long", "words", "bidi"].map(catrnOf),
      outputs: ["zero", "zalgo", "proto"].map(catrnOf),
    },
  };
  await done("POST", "/ingestion/entities", { data_source_catrn: source, items: [...tables, job] });
}

/** What people add. */
async function describe(): Promise<void> {
  const of = `/api/dataentities/${ids.markup}`;
  await done("PUT", `${of}/description`, { internal_description: sent });
  await done("PUT", `${of}/tags`, { tag_name_list: [markup.slice(0, 60), "\u202Egat"] });
  await done("POST", `${of}/ownership`, { owner_name: markup, title_name: markup });
  await done("PUT", `/api/dataentities/${ids.words}/name`, {
    internal_name: names.long!.slice(0, 255),
  });
  term = (await done("POST", "/api/terms", {
    name: markup,
    namespace_name: "<b>space</b>",
    definition: sent,
  })).id;
  await done("POST", `${of}/terms`, { term_id: term });
  example = (await done("POST", "/api/queryexample", { definition: sent, query: sent })).id;
  await done("POST", `/api/queryexample/${example}/dataset`, { dataset_id: ids.markup }).catch(
    () => {},
  );
}

const screens = (): Record<string, string> => ({
  home: "/",
  search: "/search",
  glossary: "/terms",
  term: `/terms/${term}`,
  examples: "/queryexamples",
  example: `/queryexamples/${example}`,
  activity: "/activity",
  alerts: "/alerts",
  directory: "/directory",
  lineage: `/lineage?ids=${ids.job}`,
  structure: `/dataentities/${ids.markup}/structure`,
  "activity of one": `/dataentities/${ids.markup}/activity`,
  "queries of one": `/dataentities/${ids.markup}/queries`,
  ...Object.fromEntries(
    Object.entries(ids).map(([kind, id]) => [`entity ${kind}`, `/dataentities/${id}/overview`]),
  ),
});

/** Runs in the page: whether it is too wide, and links and elements that nobody may make. */
const faults = `(() => {
  const { scrollWidth } = document.documentElement;
  const beyond = (one) => one.getBoundingClientRect().right > innerWidth + 1;
  const outermost = [...document.querySelectorAll("body *")]
    .filter((one) => beyond(one) && ![...one.children].some(beyond))
    .slice(0, 3)
    .map((one) => one.tagName + "." + one.className + " in " + one.parentElement.className);
  const wide = scrollWidth > innerWidth
    ? [scrollWidth + " px wide of " + innerWidth + ": " + outermost.join(", ")]
    : [];
  const links = [...document.querySelectorAll("a[href]")].filter(({ protocol }) =>
    !/^(https?|mailto|blob):$/.test(protocol)
  );
  const made = document.querySelectorAll("main script, main iframe, main img, [onerror], [onload]");
  return [...wide, ...links.map(({ href }) => href), ...[...made].map((one) => one.outerHTML)];
})()`;

/** What is wrong with how it is shown. */
async function faultsOf(page: Page): Promise<string[]> {
  return await page.evaluate(faults);
}

it("nothing of what others wrote runs, and nothing breaks the frame", async () => {
  const faults: Record<string, string[]> = {};
  for (const width of [1280, 720]) {
    const { page, go, problems } = await visit(browser, site.url, { width });
    const ran: string[] = [];
    page.on("dialog", (dialog) => {
      ran.push(`ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const all = Object.entries(screens());
    for (const [name, path] of all) {
      const read = page.waitForResponse((one) => /\/api\/(?!changes)/.test(one.url()));
      await go(path);
      await read;
      await page.locator("main :is(h1, h2)").first().waitFor();
      await expect.poll(() => page.locator("main [class*=_bones]").count()).toBe(
        0,
      );
      const found = [...await faultsOf(page), ...ran.splice(0)];
      if (width === 1280) found.push(...await problems());
      if (found.length > 0) faults[`${name} at ${width}`] = found;
    }
    await page.context().close();
  }
  expect(faults).toEqual({});
});

it("a link to another site opens next to the catalogue, also without a protocol", async () => {
  const { id } = await done("POST", "/api/terms", {
    name: "elsewhere",
    namespace_name: "links",
    definition: "[one](//evil.example) [two](https://evil.example/x) [own](/terms)",
  });
  const { page, go, problems } = await visit(browser, site.url);
  await go(`/terms/${id}`);
  const targetOf = async (name: string) => {
    const found = page.getByRole("main").getByRole("link", { name, exact: true });
    return [await found.getAttribute("target"), await found.getAttribute("rel")];
  };
  const elsewhere = ["_blank", "noopener noreferrer nofollow"];
  expect(await targetOf("one")).toEqual(elsewhere);
  expect(await targetOf("two")).toEqual(elsewhere);
  expect(await targetOf("own")).toEqual([null, null]);
  expect(await problems()).toEqual([]);
});
