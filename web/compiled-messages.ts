import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const files = /[\\/]messages[\\/]\w+[\\/][\w-]+\.json$/;

/** Message files as the browser needs them: parsed while the interface is built, so that it needs no parser. */
export function compiledMessages(): Plugin {
  return {
    name: "compiled-messages",
    enforce: "pre",
    apply: "build",
    transform(code, id) {
      if (!files.test(id)) return null;
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
