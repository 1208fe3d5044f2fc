import { describe, expect, it } from "vitest";
import { highlight, termsOf } from "#services/api/search/words.ts";
import { seeded } from "#test/support/random.ts";
import { cpuMs } from "#test/support/linear.ts";

const marked = (text: string, typed: string) => highlight(text, termsOf(typed));

describe("highlight", () => {
  it("marks the words that begin with what was typed, in any case", () => {
    expect(marked("Orders of the order desk", "ORD")).toBe(
      "<b>Orders</b> of the <b>order</b> desk",
    );
  });

  it("marks the piece of an identifier, not the whole", () => {
    expect(marked("sales.order_items", "item")).toBe("sales.order_<b>items</b>");
    expect(marked("customerLedger", "ledg")).toBe("customer<b>Ledger</b>");
    expect(marked("customerLedger", "customerl")).toBe("<b>customerLedger</b>");
  });

  it("marks what was typed within a word of which no part begins with it", () => {
    expect(marked("mylicenses", "license")).toBe("my<b>license</b>s");
    expect(marked("myLicenses", "cens")).toBe("myLi<b>cens</b>es");
    expect(marked("mylicenses license", "license")).toBe("my<b>license</b>s <b>license</b>");
  });

  it.each([
    ["Kürten_Umsätze", "kurten umsatze", "<b>Kürten</b>_<b>Umsätze</b>"],
    ["Ku\u0308rten", "kürten", "<b>Ku\u0308rten</b>"],
    ["Großstraße", "strasse", "Groß<b>straße</b>"],
    ["Ｆｕｌｌ＿Ｗｉｄｔｈ", "width", "Ｆｕｌｌ＿<b>Ｗｉｄｔｈ</b>"],
    ["至尊藏点驭众点", "驭众", "至尊藏点<b>驭众</b>点"],
    ["売上データ_2024", "データ", "売上<b>データ</b>_2024"],
    ["고객주문내역", "주문", "고객<b>주문</b>내역"],
    ["ЗаказыКлиентов", "клиентов", "Заказы<b>Клиентов</b>"],
  ])("marks in %j what %j finds", (text, typed, html) => {
    expect(marked(text, typed)).toBe(html);
  });

  it("escapes all else, so that a text is never markup", () => {
    expect(marked(`<img src=x onerror="a('b')"> & more`, "img more")).toBe(
      "&lt;<b>img</b> src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; <b>more</b>",
    );
  });

  it("is null without a match, and for nothing typed", () => {
    expect(marked("orders", "rd")).toBeNull();
    expect(marked("orders", "  & ")).toBeNull();
    expect(highlight(null, termsOf("a"))).toBeNull();
  });

  it("keeps letters that change their length in lower case, and emoji, whole", () => {
    expect(marked("İstanbul 😀 x", "i̇st")).toBe("<b>İstanbul</b> 😀 x");
    expect(marked("a 😀😀 b", "😀")).toBe("a <b>😀😀</b> b");
  });

  it("looks for the first 64 words within the first 2,000 characters", () => {
    const words = Array.from({ length: 65 }, (_, i) => `w${i}x`);
    expect(marked("w63x", words.join(" "))).toBe("<b>w63x</b>");
    expect(marked("w64x", words.join(" "))).toBeNull();
    expect(marked("late", `${" ".repeat(1_995)}first late`)).toBeNull();
  });

  it("marks as a plain reading of its rule does, whatever repeats itself", () => {
    const next = seeded(7);
    const random = (below: number) => Math.floor(next() * below);
    const alphabet = "aAbB._ 9";
    const some = (max: number) =>
      Array.from({ length: 1 + random(max) }, () => alphabet[random(alphabet.length)]).join("");
    for (let i = 0; i < 3_000; i++) {
      const [text, typed] = [some(40), some(12)];
      expect(marked(text, typed), JSON.stringify([text, typed])).toBe(plainly(text, typed));
    }
  });

  it.each([
    ["camel case", "aB".repeat(50_000)],
    ["one letter", "a".repeat(100_000)],
    ["words of one letter", "a ".repeat(50_000)],
    ["marks", "_".repeat(100_000)],
    ["different words", Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(" ")],
    ["letters that grow", "\u0130".repeat(50_000)],
  ])("takes no longer for a long query and a long text: %s", (_, text) => {
    expect(cpuMs(() => marked(text.repeat(10), text))).toBeLessThan(1_000);
  });
});

/**
 * Naive reference: marks every piece that begins with a term, up to the piece in which it ends; in a word without such a
 * piece, the longest terms of three letters or more from the left.
 */
function plainly(text: string, typed: string): string | null {
  const parts = (w: string) => w.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  const words = [...text.matchAll(/[A-Za-z0-9]+/g)];
  const terms = (typed.match(/[A-Za-z0-9]+/g) ?? []).flatMap((w) => [w, ...parts(w)])
    .map((term) => term.toLowerCase());
  let html = "";
  let at = 0;
  for (const { 0: word, index } of words) {
    const pieces = parts(word);
    const before = html;
    for (let i = 0, start = 0; i < pieces.length; start += pieces[i++]!.length) {
      const found = terms.filter((term) => word.toLowerCase().startsWith(term, start));
      const reached = start + Math.max(0, ...found.map((term) => term.length));
      let end = start;
      for (let j = i; end < reached; j++) end += pieces[j]!.length;
      if (index + end <= Math.max(at, index + start)) continue;
      const from = Math.max(index + start, at);
      html += `${text.slice(at, from)}<b>${text.slice(from, index + end)}</b>`;
      at = index + end;
    }
    for (let start = html === before ? 0 : word.length; start < word.length; start++) {
      const found = terms.filter((term) => word.toLowerCase().startsWith(term, start));
      const length = Math.max(0, ...found.map((term) => term.length));
      if (length < 3) continue;
      html += `${text.slice(at, index + start)}<b>${
        text.slice(index + start, index + start + length)
      }</b>`;
      at = index + start + length;
      start += length - 1;
    }
  }
  return at === 0 ? null : html + text.slice(at);
}
