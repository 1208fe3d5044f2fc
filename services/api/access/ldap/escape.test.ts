import { describe, expect, it } from "vitest";
import { dnValue, filled, filterValue, under } from "#services/api/access/ldap/people.ts";

describe("names in filters and DNs", () => {
  it.each([
    ["ada", "ada"],
    ["*", "\\2A"],
    ["ada)(uid=*", "ada\\29\\28uid=\\2A"],
    ["a\\b\0", "a\\5Cb\\00"],
    ["Ádá 李", "Ádá 李"],
  ])("filter: %j", (name, escaped) => expect(filterValue(name)).toBe(escaped));

  it.each([
    ["ada", "ada"],
    ["ada,ou=admins", "ada\\2Cou\\3Dadmins"],
    ['a+b"c\\d<e>f;g', "a\\2Bb\\22c\\5Cd\\3Ce\\3Ef\\3Bg"],
    [" #a ", "\\20\\23a\\20"],
    ["nul\0", "nul\\00"],
  ])("DN: %j", (name, escaped) => expect(dnValue(name)).toBe(escaped));

  it("replaces what stands for a value once, whatever the values hold", () => {
    expect(filled("(|(a={0})(b={1})(c={0}))", ["{1}", "$&"])).toBe("(|(a={1})(b=$&)(c={1}))");
  });

  it("adds a base unless it is there", () => {
    expect(under("ou=people", "dc=corp,dc=example")).toBe("ou=people,dc=corp,dc=example");
    expect(under("ou=people, DC=Corp,dc=example", "dc=corp,dc=example"))
      .toBe("ou=people, DC=Corp,dc=example");
    expect(under("ou=acdc=corp", "dc=corp")).toBe("ou=acdc=corp,dc=corp");
    expect([under(undefined, "dc=a"), under("dc=a", undefined), under(undefined, undefined)])
      .toEqual(["dc=a", "dc=a", ""]);
  });
});
