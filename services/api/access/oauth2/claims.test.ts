import { expect, it } from "vitest";
import { joinedClaims, nameOf } from "#services/api/access/oauth2/claims.ts";
import { SignInFailure } from "#services/api/access/oauth2/provider.ts";

it.each<[unknown, string]>([
  ["ada", "ada"],
  ["Ada Lovelace", "Ada Lovelace"],
  ["żółw@corp.example", "żółw@corp.example"],
  [12, "12"],
])("%j is a name", (value, name) => {
  expect(nameOf(value, "sub")).toBe(name);
});

it.each([
  "",
  " ada",
  "ada ",
  "ada\n",
  "a\u0000da",
  "ada\u200b",
  "\u202eada",
  "a\u00adda",
  "ada\u2028",
  "\ud800",
  "x".repeat(256),
  true,
  ["ada"],
  undefined,
])("%j is no name: it could pass for another's", (value) => {
  expect(() => nameOf(value, "sub")).toThrow(SignInFailure);
});

const [email, other] = ["ada@corp.example", "eve@corp.example"];
it.each<[string, object, object, object]>([
  ["verified in the ID token", { email, email_verified: true }, {}, {
    email,
    email_verified: true,
  }],
  ["of user information alone", { sub: "7" }, { email, email_verified: true }, {
    sub: "7",
    email,
    email_verified: true,
  }],
  ["verified by user information, the same", { email }, { email, email_verified: true }, {
    email,
    email_verified: true,
  }],
  ["verified by user information, another", { email }, { email: other, email_verified: true }, {
    email,
  }],
  [
    "unverified in the ID token",
    { email, email_verified: false },
    { email, email_verified: true },
    {
      email,
      email_verified: false,
    },
  ],
  ["whose verification is of the ID token alone", { email_verified: true }, { email }, { email }],
  ["whose domain is another's", { email, email_verified: true }, { hd: "corp.example" }, {
    email,
    email_verified: true,
  }],
  ["beside other claims", { email, groups: ["a"] }, {
    groups: ["b"],
    team: "c",
    email_verified: true,
  }, {
    email,
    groups: ["a"],
    team: "c",
  }],
])(
  "an address of e-mail and its verification are of one source: %s",
  (_, idToken, info, joined) => {
    expect(joinedClaims({ ...idToken }, { ...info })).toEqual(joined);
  },
);
