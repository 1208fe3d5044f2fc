/** Controls, the marks that turn the direction of text, and other characters that show nothing. */
const unseen =
  // deno-lint-ignore no-control-regex -- these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** What some file systems refuse within a name. */
const unsafe = /[<>:"|?*]/g;

/** Names that mean devices on some systems, with any extension. */
const device = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i;

/** Longest name on the usual file systems, bytes of UTF-8. */
const maxBytes = 255;
const maxExtension = 20;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Whether a text holds characters that are not seen. */
export function hasUnseen(text: string): boolean {
  return text.search(unseen) >= 0;
}

/**
 * The name under which a file is shown and saved, made of the one that a client gave: without folders, without
 * characters that are not seen, and such that every usual system can save it. Empty when nothing is left.
 */
export function displayName(given: string): string {
  const last = given.normalize("NFC").split(/[\\/]/).at(-1)!;
  const clean = withoutEnd(last.replace(unseen, "").replace(unsafe, "_").trim());
  return shortened(clean.replace(device, "_$&"));
}

/** Without dots and blanks at its end, which some systems drop. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && ". ".includes(name[end - 1]!)) end--;
  return name.slice(0, end);
}

/** Cuts the middle, so that the file extension stays. */
function shortened(name: string): string {
  if (bytesOf(name) <= maxBytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= maxExtension ? name.slice(dot) : "";
  let stem = "";
  let left = maxBytes - bytesOf(extension);
  for (const character of name.slice(0, name.length - extension.length)) {
    left -= bytesOf(character);
    if (left < 0) break;
    stem += character;
  }
  return stem + extension;
}
