const name = "[A-Za-z][\\w:-]*";
const token = new RegExp(
  `<(${name})((?:\\s+${name}="[^<"]*")*)\\s*(/?)>|</(${name})>|([^<]+)`,
  "y",
);

/** Why a text without comments and doctype is no well-formed XML 1.0; null when it is. */
export function notWellFormed(text: string): string | null {
  // deno-lint-ignore no-control-regex -- these are what XML 1.0 forbids
  const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.exec(text);
  if (forbidden || !text.isWellFormed()) return "a character that XML cannot hold";
  const open: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found) return `no markup at ${at}: ${text.slice(at, at + 60)}`;
    const [, start, attributes = "", single, end, content = ""] = found;
    if (/&(?!(amp|lt|gt|quot|#39);)/.test(attributes + content)) return `a bare & at ${at}`;
    if (content.includes("]]>")) return `the end of a section at ${at}`;
    if (start && !single) open.push(start);
    if (end && open.pop() !== end) return `</${end}> closes nothing`;
    if (open.length === 0 && content.trim() !== "") return "text outside the root";
  }
  return open.length === 0 ? null : `${open.at(-1)} is open at the end`;
}
