import { greatest, type Point, type Rect } from "#web/graph/geometry.ts";
import { t } from "#web/messages/text.ts";

/** Longest text that a box or a line keeps of a name, in UTF-16 units; the whole name is in the panel. */
export const shownUnits = 300;

// Default_Ignorable_Code_Point is what nobody sees, such as the zero width space, and what reorders text. Joiners and
// the selectors of variations are part of what people write.
const unseen = new RegExp(
  "[\\p{Cc}\\u2028\\u2029\\ufffe\\uffff]+|" +
    "(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}",
  "gu",
);

/**
 * A name as one line of a drawing shows it: without what nobody sees, or hides or reorders other text; control
 * characters become spaces. At most `shownUnits` long, a cut shown by an ellipsis; never empty.
 */
export function shown(name: string): string {
  const seen = name.slice(0, 4 * shownUnits).toWellFormed()
    .replaceAll(unseen, (found) => (/[\p{Cc}\u2028\u2029]/u.test(found) ? " " : ""))
    .trim();
  if (!/[^\p{Default_Ignorable_Code_Point}\s]/u.test(seen)) return t("graph.noVisibleName");
  return seen.length > shownUnits ? `${seen.slice(0, shownUnits - 1).toWellFormed()}…` : seen;
}

/** Measures a text in the font that is set. */
type Measure = (text: string) => number;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The longest beginning of a text that fits a width, with an ellipsis; no written character is split. */
export function cutText(text: string, width: number, measure: Measure): string {
  return fitted(
    text,
    (cut) => measure(cut) <= width,
    (pieces, count) => `${pieces.slice(0, count).join("").trimEnd()}…`,
  );
}

/** As `cutText`, but the ellipsis is in the middle: names often differ at their ends. */
export function cutMiddle(text: string, width: number, measure: Measure): string {
  return fitted(text, (cut) => measure(cut) <= width, (pieces, count) => {
    const end = Math.floor(count / 2);
    const after = pieces.slice(pieces.length - end).join("").trimStart();
    return `${pieces.slice(0, count - end).join("").trimEnd()}…${after}`;
  });
}

/** The text, else the longest that `cut` makes of so many of its written characters and that fits. */
function fitted(
  text: string,
  fits: (text: string) => boolean,
  cut: (pieces: readonly string[], count: number) => string,
): string {
  if (fits(text)) return text;
  const pieces = [...graphemes.segment(text)].map(({ segment }) => segment);
  return cut(pieces, greatest(pieces.length - 1, (count) => fits(cut(pieces, count))));
}

const maxRemembered = 4_000;

/** Cuts texts and remembers the last ones, so that a frame measures nothing. */
export class TextCutter {
  readonly #cut = new Map<string, string>();

  /** `by` is `cutText` or `cutMiddle`; a text is always cut the same way in one font and width. */
  cut(font: string, text: string, width: number, measure: Measure, by = cutText): string {
    const key = `${width}|${font}|${text}`;
    const known = this.#cut.get(key);
    if (known !== undefined) return known;
    const cut = by(text, width, measure);
    if (this.#cut.size >= maxRemembered) {
      const [oldest] = this.#cut.keys();
      this.#cut.delete(oldest!);
    }
    this.#cut.set(key, cut);
    return cut;
  }

  get size(): number {
    return this.#cut.size;
  }
}

/** Width of a text without a canvas, for files that are drawn elsewhere: rather too wide than too narrow. */
export function estimatedWidth(text: string, fontSize: number): number {
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code > 0x2e7f) units += 1.05;
    else if (/[ilj.,:;'|!()[\]]/.test(character)) units += 0.34;
    else if (/[MWmw@%]/.test(character)) units += 0.92;
    else units += /[A-Z]/.test(character) ? 0.7 : 0.58;
  }
  return units * fontSize;
}

/** Text for XML 1.0: escaped, without the characters that it cannot hold at all. */
export function escaped(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex -- XML 1.0 has no way to write these
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

/** A length for a file, with at most one digit after the point. */
export function tenths(length: number): string {
  return String(Math.round(length * 10) / 10 + 0);
}

type Attributes = Record<string, string | number | undefined>;

/** An element of an SVG file; undefined attributes are left out, `content` is markup. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const given = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? "" : ` ${key}="${escaped(String(value))}"`
  );
  const end = content === "" ? "/>" : `>${content}</${name}>`;
  return `<${name}${given.join("")}${end}`;
}

/** What a program shows of a part of an SVG file under the pointer. */
export function titleElement(text: string): string {
  return element("title", {}, escaped(text));
}

/** A line of text in an SVG file, the middle of which is at `y`. */
export function textElement(
  text: string,
  { x, y, size }: Point & { size: number },
  colour: string,
  more: Attributes = {},
): string {
  const place = { x: tenths(x), y: tenths(y), "dominant-baseline": "central" };
  return element("text", { ...place, "font-size": size, fill: colour, ...more }, escaped(text));
}

export function inTenths({ x, y, width, height }: Rect) {
  return { x: tenths(x), y: tenths(y), width: tenths(width), height: tenths(height) };
}
