#!/usr/bin/env node
// As much of curl as the examples of the documents use, for machines that lack it:
// -s -i -G -X -H -d (text or @file) --data-binary (the same, or @-) --data-urlencode.
import { readFileSync } from "node:fs";

const takesValue = new Set(["-X", "-H", "-d", "--data-binary", "--data-urlencode"]);
const given = { flags: new Set(), headers: {}, data: [], method: "", url: "" };
const args = process.argv.slice(2);
while (args.length > 0) {
  const name = args.shift();
  const value = takesValue.has(name) ? args.shift() : "";
  if (name === "-X") given.method = value;
  else if (name === "-H") {
    given.headers[value.split(":")[0]] = value.split(":").slice(1).join(":").trim();
  } else if (name === "-d" || name === "--data-binary") {
    const file = value === "@-" ? 0 : value.slice(1);
    given.data.push(value.startsWith("@") ? readFileSync(file, "utf8") : value);
  } else if (name === "--data-urlencode") {
    const [key, ...rest] = value.split("=");
    given.data.push(`${key}=${encodeURIComponent(rest.join("="))}`);
  } else if (name.startsWith("-")) given.flags.add(name);
  else given.url = name;
}

const asQuery = given.flags.has("-G");
const body = given.data.length > 0 && !asQuery ? given.data.join("&") : undefined;
const url = asQuery ? `${given.url}?${given.data.join("&")}` : given.url;
const method = given.method || (body === undefined ? "GET" : "POST");
const response = await fetch(url, { method, headers: given.headers, body });
if (given.flags.has("-i")) {
  console.log(`HTTP/1.1 ${response.status} ${response.statusText}`);
  for (const [name, value] of response.headers) console.log(`${name}: ${value}`);
  console.log("");
}
process.stdout.write(await response.text());
