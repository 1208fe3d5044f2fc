import { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A directory that lets people bind as `name@domain`, as Active Directory does. */
export interface AdRelay {
  url: string;
  /** Names that were bound by. */
  names: string[];
  close(): Promise<void>;
}

/**
 * Passes connections on to a directory and puts DNs in place of the names of bind requests, since other directories
 * take nothing but DNs there. `dns`: by name in lower case; unknown names are passed on as a DN of nobody.
 */
export async function startAdRelay(target: string, dns: Map<string, string>): Promise<AdRelay> {
  const open = new Set<Socket>();
  const names: string[] = [];
  const to = Number(new URL(target).port);
  const server = createServer((client) => {
    const directory = connect(to, "127.0.0.1");
    let read = Buffer.alloc(0);
    client.on("data", (data: Buffer) => {
      read = Buffer.concat([read, data]);
      for (let size = sizeOf(read); size && read.length >= size; size = sizeOf(read)) {
        directory.write(renamed(read.subarray(0, size), dns, names));
        read = read.subarray(size);
      }
    });
    directory.pipe(client);
    for (const [one, other] of [[client, directory], [directory, client]] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  return {
    url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    names,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Where the content of an element begins, and where it ends. */
function element(bytes: Buffer, at: number): { start: number; end: number } {
  const short = bytes[at + 1] ?? 0;
  const digits = short < 0x80 ? 0 : short & 0x7f;
  const length = digits === 0 ? short : bytes.readUIntBE(at + 2, digits);
  return { start: at + 2 + digits, end: at + 2 + digits + length };
}

const sizeOf = (bytes: Buffer) => bytes.length < 6 ? undefined : element(bytes, 0).end;

const encoded = (tag: number, content: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), size, content]);
};

function renamed(message: Buffer, dns: Map<string, string>, names: string[]): Buffer {
  const whole = element(message, 0);
  const id = element(message, whole.start);
  if (message[id.end] !== 0x60) return message;
  const bind = element(message, id.end);
  const version = element(message, bind.start);
  const name = element(message, version.end);
  const given = message.subarray(name.start, name.end).toString();
  if (!given.includes("@")) return message;
  names.push(given);
  const dn = Buffer.from(dns.get(given.toLowerCase()) ?? "cn=nobody");
  const request = Buffer.concat([
    message.subarray(bind.start, version.end),
    encoded(0x04, dn),
    message.subarray(name.end, bind.end),
  ]);
  return encoded(
    0x30,
    Buffer.concat([message.subarray(whole.start, id.end), encoded(0x60, request)]),
  );
}
