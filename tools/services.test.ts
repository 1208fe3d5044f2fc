import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configKeys } from "#platform/config/keys.ts";
import { argumentsFor, pathsOf } from "./paths.mjs";
import { isRead, permissions, type ServiceName, serviceNames } from "./services.mjs";

const run = promisify(execFile);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "places-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The entries of a permission flag. */
function listed(flags: string[], flag: string): string[] {
  return flags.find((given) => given.startsWith(`--${flag}=`))?.split("=")[1]?.split(",") ?? [];
}

describe("permissions", () => {
  it.each(serviceNames)("of %s: whoever gets into it gets no further", async (service) => {
    const own = { dataDir: directory, files: [] };
    const flags = permissions(service, own);
    const scripts = listed(flags, "allow-run");
    const given = [scripts.join(","), service === "all" ? directory : ""];
    const { stdout } = await run(
      process.execPath,
      ["run", ...flags, "test/support/http/hostile/runtime.ts", ...given],
      { env: { ...process.env, HOSTILE_SECRET: "seen" } },
    );
    const outcomes: [string, string][] = JSON.parse(stdout);
    expect(outcomes.length).toBeGreaterThan(12);
    expect(outcomes.filter(([, outcome]) => outcome !== "denied")).toEqual([]);
  });

  it("attachments are read and written by the services that keep them, and by no other", () => {
    const inside = { dataDir: "d", attachments: "d/files", files: [] };
    const outside = { dataDir: "d", attachments: "d/../files", files: [] };
    const written = (service: ServiceName, paths: typeof inside) => {
      const flags = permissions(service, paths);
      const write = listed(flags, "allow-write");
      expect(write.every((path) => listed(flags, "allow-read").includes(path))).toBe(true);
      return write;
    };
    expect(serviceNames.map((service) => written(service, inside)))
      .toEqual([["d"], ["d/files"], [], [], [], [], [], []]);
    expect(serviceNames.map((service) => written(service, outside)))
      .toEqual([["d", "d/../files"], ["d/../files"], [], [], [], [], [], []]);
  });

  it("allow-run names scripts of the repository only, which may be executed", () => {
    for (const service of serviceNames) {
      for (const script of listed(permissions(service), "allow-run")) {
        expect(script).toMatch(/^[\w/-]+\.sh$/);
        accessSync(script, constants.X_OK);
      }
    }
  });

  it("isRead: every key of the configuration, and nothing of other programs", () => {
    expect(configKeys().map(({ env }) => env).filter((name) => !isRead(name))).toEqual([]);
    expect(["AWS_SECRET_ACCESS_KEY", "HOME", "NPM_TOKEN", "INSTANCES"].filter(isRead)).toEqual([]);
  });
});

describe("placesOf", () => {
  it("finds files and the data directory in the environment", async () => {
    const paths = await pathsOf(directory, {
      DATA_DIR: "/var/lib/tributary",
      TRACES_TLS_CERT_FILE: "/etc/tls/cert.pem",
      METADATA_POSTGRES_URL: "postgres://a@b/c?sslmode=verify-full&sslrootcert=/etc/tls/ca.pem",
      OTEL_EXPORTER_OTLP_CERTIFICATE: "/etc/tls/otel.pem",
      SSL_CERT_FILE: "/etc/ssl/other",
    });
    expect(paths).toEqual({
      dataDir: "/var/lib/tributary",
      attachments: "/var/lib/tributary/attachments",
      files: ["/etc/tls/ca.pem", "/etc/tls/cert.pem", "/etc/tls/otel.pem"],
      engine: true,
    });
  });

  it("finds them in the configuration file, which it names too when it is another", async () => {
    const file = join(directory, "mine.yaml");
    const ca = "event-log: { kafka: { ssl: { enabled: true, ca-file: /etc/tls/kafka.pem } } }";
    writeFileSync(file, `data: { dir: /srv/data }\n${ca}\n`);
    expect(await pathsOf(directory, { TRIBUTARY_CONFIG: file })).toEqual({
      dataDir: "/srv/data",
      attachments: "/srv/data/attachments",
      files: ["/etc/tls/kafka.pem", file].sort(),
      engine: false,
    });
    expect(await pathsOf(directory, {})).toMatchObject({ dataDir: "./data", files: [] });
  });

  it("finds the directory of attachments, unless another server keeps them", async () => {
    const own = await pathsOf(directory, { ATTACHMENT_LOCAL_PATH: "/srv/files" });
    expect(own).toMatchObject({ dataDir: "./data", attachments: "/srv/files" });
    expect(await pathsOf(directory, { ATTACHMENT_STORAGE: "REMOTE" }))
      .not.toHaveProperty("attachments");
  });

  it("a file that is no YAML is left to the service to complain of", async () => {
    const file = join(directory, "broken.yaml");
    writeFileSync(file, "a: [");
    expect(await pathsOf(directory, { TRIBUTARY_CONFIG: file })).toMatchObject({ files: [file] });
  });

  it("argumentsFor: a comma in a path parts nothing", async () => {
    const env = { TRACES_TLS_KEY_FILE: "/etc/a,/b.pem", METADATA_POSTGRES_URL: "postgres://a@b/c" };
    const service: ServiceName = "api";
    const flags = await argumentsFor(resolve("."), service, env);
    expect(flags.find((flag) => flag.startsWith("--allow-read="))).toContain(",/etc/a,,/b.pem");
  });
});
