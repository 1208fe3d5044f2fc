/**
 * What an entity is found by, by the weight that its words have; `name` and `named` are identifiers, which are found by
 * their parts too (`orderItems` by `items`). As the columns of `search_texts` in metadata/schema/functions/search.sql.
 */
export interface SearchTexts {
  /** Weight A. */
  name: string;
  /** Weight B. */
  tags: string[];
  description: string;
  /** Weight C. */
  named: string[];
  prose: string[];
  /** Weight D. */
  values: string[];
}

/**
 * The words of an entity as the text of a `tsvector`, equal to what `search_documents` makes of the same texts but for the
 * order of words of one weight; it takes a tenth of the time. Null where only PostgreSQL can tell: letters beyond ASCII, whose
 * treatment depends on its locale; `~`, which its parser may take for the beginning of a path; and more than a vector
 * holds whole.
 */
export function searchVector(texts: SearchTexts): string | null {
  const { name, description, prose, values } = texts;
  const weighed = [
    `${name} ${parted(name)}`,
    `${withParts(texts.tags)} ${description}`,
    `${withParts(texts.named)} ${prose.join(" ")}`,
    values.join(" "),
  ];
  const places = new Map<string, string>();
  let last = 0;
  for (const [weight, text] of weighed.entries()) {
    if (text.length > longestText || !plain.test(text)) return null;
    for (const word of text.toLowerCase().match(words) ?? []) {
      if (++last > mostWords) return null;
      const before = places.get(word);
      const place = placeOf(last, weight);
      places.set(word, before === undefined ? place : before + "," + place);
    }
  }
  return vectorOf(places);
}

/** As PostgreSQL's parser finds them once `search_words` has parted compounds: a number such as `1e5` ends where it is whole. */
const words = /\d+e\d+|[a-z\d]+/g;
const plain = /^[\0-}\x7f]*$/;

/** UTF-16 units of one weight: `search_documents` cuts the shortest of them off at 16,000 bytes. */
const longestText = 16_000;
/** Words of an entity: a vector counts places up to 16,383. */
const mostWords = 8_000;
/** UTF-16 units of a word's places, which are less than 255 then: a vector holds no more of them. */
const longestPlaces = 800;
/** UTF-16 units of a word; PostgreSQL leaves out those of more than 2,046 bytes. */
const longestWord = 2_000;

/** The places that have been asked for, by weight: making their texts anew takes as long as finding the words. */
const placesBy: string[][] = [[], [], [], []];

function placeOf(at: number, weight: number): string {
  return placesBy[weight]![at] ??= `${at}${"ABCD"[weight]}`;
}

function vectorOf(places: Map<string, string>): string | null {
  let vector = "";
  for (const [word, at] of places) {
    if (word.length > longestWord || at.length > longestPlaces) return null;
    vector += word + ":" + at + " ";
  }
  return vector;
}

function withParts(names: string[]): string {
  const text = names.join(" ");
  return `${text} ${parted(text)}`;
}

const parts = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;

/** As `search_camel`: names with their parts apart, empty where there is nothing to part. */
function parted(text: string): string {
  if (!parts.test(text)) return "";
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
}
