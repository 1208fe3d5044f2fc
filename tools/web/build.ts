// Builds the web interface into `.cache/web/site`, each text also compressed: `tools/web/ensure.mjs` calls this.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "vite";
import { root } from "../checks/check.ts";

const site = join(root, ".cache", "web", "site");

await build({ configFile: join(root, "web", "vite.config.ts"), logLevel: "warn" });
writeFileSync(join(site, "messages.json"), JSON.stringify(firstMessages()));
await Promise.all(
  readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(js|css|svg)$/.test(name))
    .map((name) => compress(join(site, name))),
);

/** The file of each language that the first screen needs. */
function firstMessages(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(site, "assets")).flatMap((name) => {
      const language = /^messages-(\w+)-first-.*\.js$/.exec(name)?.[1];
      return language ? [[language, name]] : [];
    }),
  );
}

/** Writes the smaller of two: a short window splits text into shorter blocks, which suits many of these files better. */
async function compress(file: string): Promise<void> {
  const text = readFileSync(file);
  const within = (window: number) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        [constants.BROTLI_PARAM_LGWIN]: window,
      },
    });
  const [wide, narrow] = await Promise.all([within(22), within(16)]);
  writeFileSync(`${file}.br`, narrow.length < wide.length ? narrow : wide);
}
