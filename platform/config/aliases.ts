import { z } from "zod";

/** `alias=host, …`, in lower case. */
export const aliases = z.string().default("").transform((text, context) => {
  const entries = text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  return new Map(entries.map((entry) => {
    const at = entry.indexOf("=");
    const [alias, host] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    if (at < 1 || host === "") {
      context.addIssue({ code: "custom", message: "alias=host, …; neither may be empty" });
    }
    return [alias.toLowerCase(), host];
  }));
});
