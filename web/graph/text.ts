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
  if (measure(text) <= width) return text;
  const pieces = [...graphemes.segment(text)].map(({ index }) => index);
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${text.slice(0, pieces[middle])}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "…" : `${text.slice(0, pieces[low]).trimEnd()}…`;
}

/** As `cutText`, but the ellipsis is in the middle: names often differ at their ends. */
export function cutMiddle(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  const pieces = [...graphemes.segment(text)].map(({ segment }) => segment);
  const shortened = (count: number) => {
    const end = Math.floor(count / 2);
    return `${pieces.slice(0, count - end).join("").trimEnd()}…${
      end === 0 ? "" : pieces.slice(-end).join("").trimStart()
    }`;
  };
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(shortened(middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "…" : shortened(low);
}

/** Texts that a cutter remembers. */
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
      for (const oldest of this.#cut.keys()) {
        this.#cut.delete(oldest);
        break;
      }
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
