import { expect, it } from "vitest";
import { plainText } from "./lenient.ts";
import { FieldName, Name, Namespace, RunId, Text, Uri } from "./texts.ts";

const takingPlain = { FieldName, Name, Namespace, RunId, Text, Uri };

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const plain = ascii.filter((character) => plainText.test(character));

/** Texts of plain characters, each of them side by side one. */
const texts = plain.flatMap((one) => plain.map((other) => `${one}${other}${one}`));

it.each(Object.entries(takingPlain))("%s takes every plain text as it is", (_, schema) => {
  const given = [...plain, ...texts, plain.join("").slice(0, 100), "jdbc;oracle;thin;a/b"];
  expect(given.filter((text) => plainText.test(text) && schema.parse(text) !== text)).toEqual([]);
});

it("no text is plain that a schema may change, cut or refuse", () => {
  const others = [
    "",
    "a".repeat(101),
    "\0",
    "\ud800",
    "ä",
    "a://b:c@d",
    "a@b",
    "jdbc:oracle:x",
    "\x7f",
  ];
  expect(others.filter((text) => plainText.test(text))).toEqual([]);
});
