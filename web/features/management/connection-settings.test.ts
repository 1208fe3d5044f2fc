import { expect, it } from "vitest";
import {
  settingsOf,
  type SettingsSchema,
  textsOf,
} from "#web/features/management/connection-settings.tsx";

const schema: SettingsSchema = {
  properties: {
    host: { type: "string" },
    port: { type: "integer", default: 5432 },
    password: { type: "string", writeOnly: true },
    include: { type: "array", default: [] },
  },
};

it("begins with the defaults, or with what is stored", () => {
  expect([...textsOf(schema)]).toEqual([
    ["host", ""],
    ["port", "5432"],
    ["password", ""],
    ["include", ""],
  ]);
  expect(textsOf(schema, { include: ["a.*", "b.*"] }).get("include")).toBe("a.*\nb.*");
});

it("gives the settings that the API takes", () => {
  const texts = new Map([
    ["host", " db.example "],
    ["port", "6543"],
    ["password", " kept as it is "],
    ["include", "a.*\n\n b.* "],
  ]);
  expect(settingsOf(schema, texts)).toEqual({
    host: "db.example",
    port: 6543,
    password: " kept as it is ",
    include: ["a.*", "b.*"],
  });
  expect(settingsOf(schema, new Map([["port", "x"]]))).toEqual({ port: "x" });
});
