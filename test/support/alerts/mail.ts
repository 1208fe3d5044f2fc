import { Buffer } from "node:buffer";

/** A mail parsed: headers by lower-case name, and each part decoded. */
export interface ReadMail {
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** Reads what a mail server got; enough of MIME for mails with a text and an HTML part. */
export function readMail(raw: string): ReadMail {
  const whole = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers["content-type"] ?? "")?.[1] ?? "";
  const parts = whole.body.split(`--${boundary}`).slice(1, -1).map((part) => split(part.slice(2)));
  const of = (type: string) => {
    const part = parts.find(({ headers }) => headers["content-type"]?.startsWith(type));
    return part ? decoded(part).replaceAll("\r\n", "\n") : "";
  };
  return { headers: whole.headers, text: of("text/plain"), html: of("text/html") };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line)).filter((m) => m !== null)
    .map(([, name, value]) => [name!.toLowerCase(), value!]);
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) };
}

function decoded({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const encoding = headers["content-transfer-encoding"];
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body.replaceAll("=\r\n", "").replaceAll(
    /=([0-9A-F]{2})/g,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
