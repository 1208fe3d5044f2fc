import { expect, it } from "vitest";
import { baseUrlOf } from "#platform/config/base-url.ts";
import { Config } from "#platform/config/schema.ts";

it.each<[string, object, string, string?]>([
  [
    "is what is configured",
    {
      server: { port: 9000 },
      catalog: { "platform-base-url": "https://data.example/catalogue" },
    },
    "https://data.example/catalogue",
    "http://127.0.0.1:1234",
  ],
  ["is the usual port of this machine", {}, "http://localhost:8080"],
  ["follows the port of the API", { server: { port: 9000 } }, "http://localhost:9000"],
  [
    "follows the port that was bound",
    { server: { port: 0 } },
    "http://localhost:1234",
    "http://127.0.0.1:1234",
  ],
  [
    "prefers the port that is configured",
    { server: { port: 90 } },
    "http://localhost:90",
    "http://a:7",
  ],
  ["calls every address localhost", { server: { host: "0.0.0.0" } }, "http://localhost:8080"],
  ["names one address", { server: { host: "10.1.2.3" } }, "http://10.1.2.3:8080"],
  ["names one address of IPv6", { server: { host: "2001:db8::7" } }, "http://[2001:db8::7]:8080"],
])("baseUrlOf: %s", (_, given, url, bound) => {
  expect(baseUrlOf(Config.parse(given), bound)).toBe(url);
});
