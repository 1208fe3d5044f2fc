import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeze } from "#test/support/engines/freeze.ts";
import { removed } from "#test/support/engines/directory.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { end, freePort, launch, runs, send, until } from "../../../tools/engines/process.mjs";

/** A real LDAP directory of one test file, with a private certificate authority. */
export interface Directory {
  /** `ldap://…`; speaks STARTTLS. */
  url: string;
  /** `ldaps://…` */
  secured: string;
  /** PEM files of its authority, and of one that it does not belong to. */
  authority: string;
  strangeAuthority: string;
  /** DN and password of an account that may search. */
  manager: { dn: string; password: string };
  /** Freezes it: connections open and nothing answers. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it; its data stays for `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const suffix = "dc=corp,dc=example";
const manager = { dn: `cn=manager,${suffix}`, password: "manager's own" };

const first = (paths: string[]) => paths.find((path) => existsSync(path));
const program = () => first(["/usr/sbin/slapd", "/usr/libexec/slapd", "/usr/lib/openldap/slapd"]);

/** What to do on a machine without the directory server. */
export const howToInstall = "slapd is missing: apt-get install slapd";

/**
 * Whether tests run a real directory: where there is one, and with `TRIBUTARY_TEST_DISTRIBUTED=1`, where one that is
 * missing is a failure and not a skip.
 */
export function hasDirectory(): boolean {
  return process.env.TRIBUTARY_TEST_DISTRIBUTED === "1" || program() !== undefined;
}

/** Starts a directory with these entries (LDIF) under `suffix`. Throws where there is no slapd. */
export async function startDirectory(entries: string): Promise<Directory> {
  const installed = program();
  if (!installed) throw new Error(howToInstall);
  const folder = mkdtempSync(join(tmpdir(), "tributary-slapd-"));
  // Some systems confine the installed program, by its path, to its usual directories.
  const own = join(folder, "slapd");
  copyFileSync(installed, own);
  const files = written(folder, entries);
  execFileSync(own, ["-T", "add", "-f", files.conf, "-l", files.ldif], { stdio: "pipe" });
  const [port, secured] = [await freePort(), await freePort()];
  const listen = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${secured}/`;
  let pid = 0;
  const directory: Directory = {
    url: `ldap://127.0.0.1:${port}`,
    secured: `ldaps://127.0.0.1:${secured}`,
    authority: files.authority,
    strangeAuthority: files.strange,
    manager,
    pause: () => freeze(pid),
    resume: () => send(pid, "SIGCONT"),
    async kill() {
      send(pid, "SIGKILL");
      await end(pid, own);
    },
    async start() {
      pid = await launch([own, "-d", "0", "-f", files.conf, "-h", listen], folder, true);
      await until(() => reached(port), 20_000);
    },
    async stop() {
      if (runs(pid, own)) await directory.kill();
      await removed(folder);
    },
  };
  await directory.start();
  return directory;
}

function written(folder: string, entries: string) {
  mkdirSync(join(folder, "data"));
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const { ca, cert, key } = testCertificate();
  const authority = write("ca.pem", ca);
  const tls = { cert: write("cert.pem", cert), key: write("key.pem", key), ca: authority };
  return {
    authority,
    strange: write("strange.pem", testCertificate().ca),
    conf: write("slapd.conf", settings(folder, tls)),
    ldif: write("entries.ldif", root + entries),
  };
}

function settings(folder: string, tls: { cert: string; key: string; ca: string }): string {
  const schemas = first(["/etc/ldap/schema", "/etc/openldap/schema"]) ?? "/etc/ldap/schema";
  const modules = first(["/usr/lib/ldap", "/usr/lib/openldap", "/usr/lib64/openldap"]) ?? "";
  const loaded = existsSync(join(modules, "back_mdb.so"))
    ? [`modulepath ${modules}`, "moduleload back_mdb"]
    : [];
  return [
    ...["core", "cosine", "inetorgperson"].map((name) => `include ${schemas}/${name}.schema`),
    ...accountSchema,
    ...loaded,
    // The lenient settings that a client must not rely on to be absent: no password means nobody, and is let in.
    "allow bind_anon_cred",
    `TLSCACertificateFile ${tls.ca}`,
    `TLSCertificateFile ${tls.cert}`,
    `TLSCertificateKeyFile ${tls.key}`,
    "database mdb",
    `suffix "${suffix}"`,
    `directory ${join(folder, "data")}`,
    "maxsize 16777216",
    "access to attrs=userPassword by anonymous auth by * none",
    'access to dn.subtree="ou=hidden,dc=corp,dc=example" by dn="cn=manager,dc=corp,dc=example" read by * none',
    "access to * by users read by * none",
    "",
  ].join("\n");
}

// What Active Directory calls things, in place of its own schema.
const accountSchema = [
  `attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch ` +
  `SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )`,
  `attributetype ( 1.2.840.113556.1.4.656 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch ` +
  `SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )`,
  `attributetype ( 1.2.840.113556.1.2.102 NAME 'memberOf' EQUALITY distinguishedNameMatch ` +
  `SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )`,
  `objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP inetOrgPerson STRUCTURAL ` +
  `MAY ( sAMAccountName $ userPrincipalName $ memberOf ) )`,
];

const root = `dn: ${suffix}
objectClass: dcObject
objectClass: organization
dc: corp
o: Corp

dn: ${manager.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: manager
userPassword: ${manager.password}

`;

function reached(port: number): Promise<void> {
  return new Promise((done, failed) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done();
    });
    socket.once("error", failed);
  });
}
