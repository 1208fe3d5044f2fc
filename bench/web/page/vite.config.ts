import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const folder = fileURLToPath(new URL("../../../.cache/bench-web/", import.meta.url));
const installed = (name: string) => join(folder, "node_modules", name);

/** The page of drawings alone; the libraries that it compares with are where the benchmark installed them. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  resolve: {
    alias: [
      { find: /^@xyflow\/react$/, replacement: installed("@xyflow/react") },
      { find: /^@xyflow\/react\/(.*)$/, replacement: `${installed("@xyflow/react")}/$1` },
      { find: /^@dagrejs\/dagre$/, replacement: installed("@dagrejs/dagre/dist/dagre.esm.js") },
      { find: /^elkjs\/(.*)$/, replacement: `${installed("elkjs")}/$1` },
    ],
    dedupe: ["react", "react-dom"],
  },
  build: { outDir: join(folder, "page"), emptyOutDir: true, reportCompressedSize: false },
});
