import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunks } from "./chunks.ts";
import { compiledMessages } from "./compiled-messages.ts";
import { leanIcons } from "./icons.ts";

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
