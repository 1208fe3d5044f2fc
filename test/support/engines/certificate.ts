import { Buffer } from "node:buffer";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface TestCertificate {
  /** PEM of the authority, for whoever shall trust the certificate. */
  ca: string;
  /** PEM of the certificate for `localhost` and 127.0.0.1. */
  cert: string;
  key: string;
}

/** A certificate of a private authority that lives as long as the test, so no key is stored in files. */
export function testCertificate(): TestCertificate {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = "Test authority";
  const sign = authority.privateKey;
  const ca = certificate({ issuer, subject: issuer, key: authority.publicKey, sign, serial: 1 }, [
    extension("551d13", sequence(tagged(0x01, Buffer.from([0xff]))), true),
  ]);
  const names = sequence(
    tagged(0x82, Buffer.from("localhost")),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const cert = certificate(
    { issuer, subject: "localhost", key: server.publicKey, sign, serial: 2 },
    [extension("551d11", names, false)],
  );
  return { ca, cert, key: server.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

interface CertificateFiles {
  issuer: string;
  subject: string;
  key: KeyObject;
  sign: KeyObject;
  serial: number;
}

// The few DER structures of RFC 5280 that a certificate needs.
function certificate(
  { issuer, subject, key, sign: by, serial }: CertificateFiles,
  extensions: Buffer[],
) {
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const day = 86_400_000;
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([serial])),
    algorithm,
    name(issuer),
    sequence(time(Date.now() - day), time(Date.now() + 30 * day)),
    name(subject),
    key.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, by)]));
  const base64 = sequence(body, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${base64.trim()}\n-----END CERTIFICATE-----\n`;
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128
    ? [length]
    : length < 256
    ? [0x81, length]
    : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"));
const name = (text: string) =>
  sequence(tagged(0x31, sequence(oid("550403"), tagged(0x0c, Buffer.from(text)))));
const time = (ms: number) =>
  tagged(0x17, Buffer.from(new Date(ms).toISOString().replace(/^..|[-:T]|\.\d+/g, "")));
const extension = (id: string, value: Buffer, critical: boolean) =>
  sequence(
    oid(id),
    ...(critical ? [tagged(0x01, Buffer.from([0xff]))] : []),
    tagged(0x04, value),
  );
