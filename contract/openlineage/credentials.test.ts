import { expect, it } from "vitest";
import { withoutCredentials, withoutPasswords } from "./texts.ts";
import { cpuMs } from "#test/support/linear.ts";

it.each([
  ["postgres://user:password@db.example:5432/shop", "postgres://db.example:5432/shop"],
  ["postgres://user:p@ss@db.example/shop?sslmode=require", "postgres://db.example/shop"],
  ["postgres://user:p/w@db.example/shop", "postgres://db.example/shop"],
  ["jdbc:postgresql://db.example/shop?user=u&password=p", "jdbc:postgresql://db.example/shop"],
  ["sqlserver://db.example:1433;user=u;password=p", "sqlserver://db.example:1433"],
  ["jdbc:oracle:thin:scott/tiger@//db.example:1521/x", "jdbc:oracle:thin:@//db.example:1521/x"],
  ["abfss://container@account.dfs.example/a:b", "abfss://container@account.dfs.example/a:b"],
  ["kafka://b1.example:9092,b2.example:9092", "kafka://b1.example:9092,b2.example:9092"],
  ["http://[::1]:8080/a@b", "http://[::1]:8080/a@b"],
  ["s3://bucket/a@b:c", "s3://bucket/a@b:c"],
  ["shop.public.orders?x=1", "shop.public.orders?x=1"],
  ["a b://user:password@host", "a b://user:password@host"],
  ["", ""],
])("%s", (given, cleaned) => {
  expect(withoutCredentials(given)).toBe(cleaned);
  expect(withoutCredentials(cleaned)).toBe(cleaned);
});

it.each([
  ["cannot reach postgres://u:p@h/d now", "cannot reach postgres://h/d now"],
  ["COPY t FROM 's3://k:s@b/x'; -- a@b", "COPY t FROM 's3://b/x'; -- a@b"],
  ["https://git@example/x and mail@example", "https://git@example/x and mail@example"],
  ["no address: a:b@c", "no address: a:b@c"],
])("within text: %s", (given, cleaned) => expect(withoutPasswords(given)).toBe(cleaned));

it("takes time in proportion to the text", () => {
  const hostile = [
    "a:b@".repeat(20_000),
    "x://".repeat(20_000),
    `x://${"a:b/@".repeat(20_000)}`,
    `x://${"a:b@".repeat(20_000)}`,
  ];
  const taken = cpuMs(() => {
    for (const text of hostile) {
      withoutCredentials(text);
      withoutPasswords(text);
    }
  });
  expect(taken).toBeLessThan(1_000);
});
