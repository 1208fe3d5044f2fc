import { describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";

describe("where people go after signing in with the form", () => {
  const redirect = (to: string) =>
    Config.safeParse({ auth: { "login-form-redirect": to } }).error?.issues
      .map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

  it.each(["/", "/api/explorer?a=1#b"])("%s", (to) => expect(redirect(to)).toEqual([]));

  // It would be passed over in silence: nobody is sent to another site.
  it.each(["https://ui.example/", "//ui.example", "/\\ui.example", "ui", "/a b"])(
    "is a path of this service, not %s",
    (to) => {
      expect(redirect(to)).toEqual([
        expect.stringMatching(/^auth.login-form-redirect: must be a path of this service/),
      ]);
    },
  );
});
