import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const icons = /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/;

/** Icons of lucide-react as pictures alone: without keys and other names, which do not compress. */
export function leanIcons(): Plugin {
  return {
    name: "lean-icons",
    enforce: "pre",
    resolveId(source, importer) {
      const ours = source.endsWith("/createLucideIcon.mjs") && icons.test(importer ?? "");
      return ours ? fileURLToPath(new URL("kit/lucide-icon.ts", import.meta.url)) : null;
    },
    transform(code, id) {
      if (!icons.test(id)) return null;
      const lean = code.replaceAll(/,? *key: "\w+"/g, "").replace(/,\s*aliases: \[[^\]]*\]/, "")
        .replace(/size: \d+,/, "");
      return { code: lean, map: null };
    },
  };
}
