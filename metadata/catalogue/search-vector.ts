import { Buffer } from "node:buffer";

/**
 * What an entity is found by, by the weight that its words have; `name`, `tags` and `named` are identifiers, which are found
 * by their parts too (`orderItems` by `items`). As the columns of `search_texts` in metadata/schema/functions/search.sql.
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

/** Characters of all texts of a vector. */
const maxRead = 60_000;
/** Places of words; a vector counts them up to 16,383. */
const maxPositions = 8_000;
/** Positions of one word; a vector holds 255, some of them reserved for others. */
const maxPositionsOfWord = 200;
/** Bytes of a word; PostgreSQL leaves out those of more than 2,046. */
const maxWord = 2_000;
/** A power of two, twice as many as there may be words. */
const buckets = 16_384;

/** What has been read of a word: a number with an exponent, such as `1e5`, ends before a letter. */
const plain = 0;
const digits = 1;
const digitsE = 2;
const exponent = 3;

/**
 * Splits ASCII texts into words and writes them as a `tsvector` in binary (`tsvectorrecv` of PostgreSQL's tsvector.c). The
 * words are those that its parser finds in what `search_words` returns: runs of letters and digits, in lower case. It works on
 * arrays of numbers that are used again and again, since a string for each word would cost more than all else.
 */
class VectorBuilder {
  /** The distinct words, one behind the other. */
  readonly #bytes = new Uint8Array(maxRead);
  #used = 0;
  #read = 0;
  /** By number of the word: where it begins, ends, and which places it has, as a chain of places. */
  readonly #start = new Uint16Array(maxPositions);
  readonly #end = new Uint16Array(maxPositions);
  readonly #count = new Uint16Array(maxPositions);
  readonly #first = new Uint16Array(maxPositions);
  readonly #last = new Uint16Array(maxPositions);
  #words = 0;
  /** By place, from 1: its weight, and the next place of the same word. */
  readonly #weight = new Uint8Array(maxPositions + 1);
  readonly #next = new Uint16Array(maxPositions + 1);
  #positions = 0;
  /** The number of a word, plus one, by its hash; `#taken` are the buckets in use. */
  readonly #bucket = new Uint16Array(buckets);
  readonly #taken = new Uint16Array(maxPositions);

  begin(): void {
    for (let i = 0; i < this.#words; i++) this.#bucket[this.#taken[i]!] = 0;
    this.#read =
      this.#used =
      this.#words =
      this.#positions =
        0;
  }

  /** Adds the words of a text with a weight: 3 for A to 0 for D. False when the text or the vector is beyond this class. */
  add(text: string, weight: number): boolean {
    this.#read += text.length;
    if (this.#read > maxRead) return false;
    const bytes = this.#bytes;
    let at = this.#used;
    let hash = 0;
    let state = plain;
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : 0;
      const kind = kinds[unit < 128 ? unit : 0x7e]!;
      if (kind === foreign) return false;
      if (at > this.#used && (kind === separator || kind !== digit && state === exponent)) {
        if (!this.#place(at, hash, weight)) return false;
        at = this.#used;
      }
      if (kind === separator) continue;
      if (at === this.#used) {
        hash = 0;
        state = kind === digit ? digits : plain;
      } else if (kind === digit) state = state === digitsE ? exponent : state;
      else state = state === digits && kind === letterE ? digitsE : plain;
      const byte = kind === digit ? unit : unit | 0x20;
      bytes[at++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    return true;
  }

  /** Gives the next place to the word that ends at `end`, behind those that are known. */
  #place(end: number, hash: number, weight: number): boolean {
    const length = end - this.#used;
    if (length > maxWord || this.#positions >= maxPositions) return false;
    const place = ++this.#positions;
    this.#weight[place] = weight;
    this.#next[place] = 0;
    const bucket = this.#find(hash, end);
    const known = this.#bucket[bucket]! - 1;
    if (known >= 0) {
      this.#next[this.#last[known]!] = place;
      this.#last[known] = place;
      return ++this.#count[known]! <= maxPositionsOfWord;
    }
    const word = this.#words++;
    this.#bucket[bucket] = word + 1;
    this.#taken[word] = bucket;
    this.#start[word] = this.#used;
    this.#end[word] = this.#used = end;
    this.#count[word] = 1;
    this.#first[word] = this.#last[word] = place;
    return true;
  }

  /** The bucket of the word behind those that are known, or the free one where it belongs. */
  #find(hash: number, end: number): number {
    let bucket = (hash ^ hash >>> 15) & buckets - 1;
    for (;; bucket = bucket + 1 & buckets - 1) {
      const word = this.#bucket[bucket]! - 1;
      if (word < 0 || this.#isSame(word, end)) return bucket;
    }
  }

  #isSame(word: number, end: number): boolean {
    const from = this.#start[word]!;
    const length = this.#end[word]! - from;
    if (length !== end - this.#used) return false;
    for (let i = 0; i < length; i++) {
      if (this.#bytes[from + i] !== this.#bytes[this.#used + i]) return false;
    }
    return true;
  }

  /** The number of words; each with a zero byte behind it, the number of its places, and these with their weights. */
  vector(): Uint8Array {
    const out = Buffer.allocUnsafe(4 + this.#used + 3 * this.#words + 2 * this.#positions);
    let at = out.writeInt32BE(this.#words, 0);
    for (let word = 0; word < this.#words; word++) {
      for (let i = this.#start[word]!; i < this.#end[word]!; i++) out[at++] = this.#bytes[i]!;
      out[at++] = 0;
      const count = this.#count[word]!;
      out[at++] = count >> 8;
      out[at++] = count;
      for (let place = this.#first[word]!; place > 0; place = this.#next[place]!) {
        out[at++] = this.#weight[place]! << 6 | place >> 8;
        out[at++] = place;
      }
    }
    return out;
  }
}

const separator = 0;
const digit = 1;
const letter = 2;
const letterE = 3;
const foreign = 4;

/** What each ASCII character is to the parser; `~` stands for those beyond, too. */
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[0-9]/.test(character)) return digit;
  if (/e/i.test(character)) return letterE;
  if (/[a-z]/i.test(character)) return letter;
  return character === "~" ? foreign : separator;
});

const builder = new VectorBuilder();

/**
 * Characters of a name; with its parts it is shorter than what `search_documents` cuts off. Of the other weights the
 * builder takes less.
 */
const longestName = 7_000;

/**
 * The words of an entity as a `tsvector` in PostgreSQL's binary form, equal to what `search_documents` makes of the same texts
 * but for the order of words of one weight; it takes a twentieth of the time. Null where only PostgreSQL knows: letters
 * beyond ASCII, whose treatment depends on its locale; `~`, which its parser may take for the beginning of a path; and more
 * than a vector holds whole.
 */
export function searchVector(texts: SearchTexts): Uint8Array | null {
  if (texts.name.length > longestName) return null;
  builder.begin();
  const plain = addIdentifiers([texts.name], 3) &&
    addIdentifiers(texts.tags, 2) && builder.add(texts.description, 2) &&
    addIdentifiers(texts.named, 1) && addAll(texts.prose, 1) &&
    addAll(texts.values, 0);
  return plain ? builder.vector() : null;
}

function addAll(list: string[], weight: number): boolean {
  for (const text of list) if (!builder.add(text, weight)) return false;
  return true;
}

/** As `search_camel` does: where one of several has parts, all of them are listed twice. */
function addIdentifiers(names: string[], weight: number): boolean {
  if (!addAll(names, weight)) return false;
  return !names.some((name) => parts.test(name)) || addAll(names.map(parted), weight);
}

const parts = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;

function parted(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
}

/** Longest word of a name that is kept, and shortest. */
const longestWord = 64;
const shortestWord = 4;

/**
 * The words of the ASCII ones among names by whose parts they are found, each once, in lower case: without digits at
 * their end, and without what looks like a key. As `search_stems` of metadata/schema/functions/search-inside.sql.
 */
export function wordsOfNames(names: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const name of names) {
    if (!isAscii(name)) continue;
    for (const [token] of name.matchAll(/[A-Za-z0-9]+/g)) {
      if (token.length >= shortestWord && token.length <= longestWord) {
        addWords(token.toLowerCase(), words);
      }
    }
  }
  return words;
}

// deno-lint-ignore no-control-regex -- ASCII
const ascii = /^[\u0000-\u007f]*$/;

export function isAscii(text: string): boolean {
  return ascii.test(text);
}

function addWords(token: string, words: Set<string>): void {
  let end = token.length;
  while (end > 0 && token[end - 1]! <= "9") end--;
  const stem = token.slice(0, end);
  if (stem.length >= shortestWord && !isKey(stem)) words.add(stem);
  // A year, say; longer numbers are too many to keep.
  const digits = token.length - stem.length;
  if (digits >= 3 && digits <= 4 && /^[a-z]{2,}$/.test(stem)) words.add(token);
}

/** Whether letters and digits change too often, or numbers are too long, for words that people write. */
function isKey(stem: string): boolean {
  const runs = stem.match(/[a-z]+/g)!;
  return runs.length > 3 || /[0-9]{4}/.test(stem);
}

/**
 * The names in a CATRN of what its entity is in, as text; null where only PostgreSQL decodes them. As `search_path` of
 * metadata/schema/functions/search.sql.
 */
export function namesOfPath(catrn: string): string | null {
  if (catrn.includes("%")) return null;
  const segments = catrn.replace(/^\/+/, "").split("/");
  const isEven = segments.length % 2 === 0;
  return segments.slice(0, -1).filter((_, at) => isEven || at % 2 === 0).join(" ");
}
