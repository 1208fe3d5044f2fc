import { describe, expect, it } from "vitest";
import { highlight, termsOf } from "#services/api/features/search/words.ts";

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

  it("escapes all else, so that a text is never markup", () => {
    expect(marked(`<img src=x onerror="a('b')"> & more`, "img more")).toBe(
      "&lt;<b>img</b> src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; <b>more</b>",
    );
  });

  it("is null without a match, and for nothing typed", () => {
    expect(marked("orders", "rder")).toBeNull();
    expect(marked("orders", "  & ")).toBeNull();
    expect(highlight(null, ["a"])).toBeNull();
  });

  it("keeps letters that change their length in lower case, and emoji, whole", () => {
    expect(marked("İstanbul 😀 x", "i̇st")).toBe("<b>İstanbul</b> 😀 x");
    expect(marked("a 😀😀 b", "😀")).toBe("a <b>😀😀</b> b");
  });
});
