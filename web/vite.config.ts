import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { chunks } from "./chunks.ts";

/** Where `npm run dev` finds the API. */
const api = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}`;

export default defineConfig({
  root: import.meta.dirname,
  // Paths of what is loaded are relative to <base href>, which the server sets: so any sub-path works.
  base: "./",
  plugins: [compiledMessages(), leanIcons(), react()],
  resolve: {
    // React has had it itself since its release 18.
    alias: {
      "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
    },
  },
  build: {
    outDir: "../.cache/web/site",
    emptyOutDir: true,
    assetsDir: "assets",
    // A data: URL would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    // For the test of sizes; it is not served.
    manifest: "manifest.json",
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunks },
        // Without the names of all that share it.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
        assetFileNames: ({ names: [name = "asset"] }) =>
          `assets/${name.split(/[~.]/)[0]}-[hash][extname]`,
      },
    },
  },
  worker: { format: "es" },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ["/api", "/login", "/logout", "/oauth2", "/health"].map((path) => [path, api]),
    ),
  },
});

const messageFiles = /[\\/]messages[\\/]\w+[\\/][\w-]+\.json$/;

/** Message files as the browser needs them: parsed while the interface is built, so that it needs no parser. */
function compiledMessages(): Plugin {
  return {
    name: "compiled-messages",
    enforce: "pre",
    apply: "build",
    transform(code, id) {
      if (!messageFiles.test(id)) return null;
      const messages = Object.entries(JSON.parse(code) as Record<string, string>);
      const compiled = messages.map(([name, text]) => {
        const tokens = compileMessageOrThrow(text);
        // Most messages have no arguments, and are shortest as they are.
        return [name, tokens.every((one) => typeof one === "string") ? tokens.join("") : tokens];
      });
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}

const iconFiles = /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/;

/** Icons of lucide-react as pictures alone: without keys and other names, which do not compress. */
function leanIcons(): Plugin {
  return {
    name: "lean-icons",
    enforce: "pre",
    resolveId(source, importer) {
      const ours = source.endsWith("/createLucideIcon.mjs") && iconFiles.test(importer ?? "");
      return ours ? fileURLToPath(new URL("kit/lucide-icon.ts", import.meta.url)) : null;
    },
    transform(code, id) {
      if (!iconFiles.test(id)) return null;
      const lean = code.replaceAll(/,? *key: "\w+"/g, "").replace(/,\s*aliases: \[[^\]]*\]/, "")
        .replace(/size: \d+,/, "");
      return { code: lean, map: null };
    },
  };
}
