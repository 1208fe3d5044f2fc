import { expect, it } from "vitest";
import { languages } from "#contract/languages.ts";
import { type MessageKey, messages, textsIn } from "#platform/messages/texts.ts";

it("formats messages and names in each language", () => {
  for (const language of languages) {
    const texts = textsIn(language);
    for (const key of Object.keys(messages.en) as MessageKey[]) {
      const values = {
        type: "T",
        event: "E",
        time: "now",
        entity: "x",
        id: "7",
        count: 3,
        code: "C",
      };
      const more = { name: "n", owners: "o", person: "p", provider: "P" };
      expect(texts.text(key, { ...values, ...more })).not.toMatch(/[{}]/);
    }
  }
  expect(textsIn("de").text("alert.andMore", { count: 1_234 })).toBe("… und 1.234 weitere");
});

it("shows what looks like markup or an argument in a value as it is", () => {
  const values = { entity: "<b>{name}</b> it's", id: "7" };
  expect(textsIn("en").text("alert.id", values)).toBe("<b>{name}</b> it's (id 7)");
});

it("writes codes without a name as words", () => {
  expect(textsIn("en").name("KAFKA_TOPIC")).toBe("Kafka topic");
  expect(textsIn("en").name("SOMETHING_NEW")).toBe("Something new");
  expect(textsIn("en").name("__proto__")).toBe("  proto  ");
});
