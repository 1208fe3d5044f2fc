import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { goesOnInTime } from "#test/support/recovery-time.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { openRaw } from "#test/support/http/raw-http.ts";
import { freePort } from "../../tools/engines/process.mjs";

const script = fileURLToPath(new URL("./testing/child.ts", import.meta.url));
const main = fileURLToPath(new URL("../../main.ts", import.meta.url));

describe("a process at its limit of open files", () => {
  let child: ChildProcess | undefined;
  const lines: string[] = [];
  afterEach(() => void child?.kill("SIGKILL"));

  function spawnLimited(files: number, program: string, env: Record<string, string> = {}) {
    const command = [process.execPath, "run", "-A", program];
    child = spawn("/bin/sh", ["-c", `ulimit -n ${files}; exec "$@"`, "limited", ...command], {
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    lines.length = 0;
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      lines.push(...text.split("\n").filter((line) => line !== ""));
    });
  }

  async function start(files: number): Promise<string> {
    spawnLimited(files, script);
    return await eventually(() => {
      if (!lines[0]) throw new Error("it does not listen yet");
      return lines[0];
    });
  }

  /** Sends a request over a connection that stays open. */
  async function ask(socket: Socket, path: string): Promise<string> {
    const answer = new Promise<string>((come) =>
      socket.setEncoding("latin1").once("data", (text) => come(String(text)))
    );
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return (await answer).split("\r\n\r\n")[1] ?? "";
  }

  async function flood(url: string, connections: number): Promise<Socket[]> {
    const opened: Socket[] = [];
    for (let i = 0; i < connections; i++) {
      await openRaw(url).then((socket) => opened.push(socket), () => {});
    }
    return opened;
  }

  it("answers those who are connected, and everybody once there is room", async () => {
    const url = await start(64);
    const openSocket = await openRaw(url);
    expect(JSON.parse(await ask(openSocket, "/"))).toMatchObject({ ready: true });
    const opened = await flood(url, 100);
    // The server accepts no connections now; it reports that over the connection that is still open.
    const state = await eventually(async () => {
      const { ready, state } = JSON.parse(await ask(openSocket, "/"));
      expect(ready).toBe(false);
      expect(state).toMatch(/^(not_listening|accept_failed)$/);
      return state as "not_listening" | "accept_failed";
    });
    for (const socket of opened) socket.destroy();
    const fresh = await goesOnInTime(state, () =>
      eventually(async () => {
        const response = await fetch(url);
        return await response.json() as { ready: boolean };
      }));
    expect(fresh.ready).toBe(false);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/tributary_http_listen_failures_total\{listener="child"\} [1-9]/);
    // All its failures are logged once.
    expect(lines.filter((line) => line.includes("not accepting connections"))).toHaveLength(1);
    await eventually(async () => {
      expect(await (await fetch(url)).json()).toMatchObject({ ready: true });
    });
    openSocket.write("GET /stop HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await eventually(() => expect(lines).toContain("stopped"));
  });

  // Deno aborts now and then when that comes while it starts: its compiler then reads /proc to learn the size of the stack.
  // An orchestrator starts the process again.
  it("goes on as a whole once it is ready", async () => {
    const database = await testDatabase();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    spawnLimited(300, main, {
      INSTANCE: database.name,
      METADATA_POSTGRES_URL: database.url,
      SERVER_PORT: String(port),
      TRACES_HTTP_PORT: "0",
      TRACES_GRPC_PORT: "0",
      LOG_FORMAT: "json",
    });
    const ended = new Promise((gone) => child!.once("exit", gone));
    const live = async () => expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await eventually(async () => {
      const { ready } = await (await fetch(`${url}/health/ready`)).json();
      expect(ready).toBe(true);
    });
    for (let round = 0; round < 2; round++) {
      const opened = await flood(url, 400);
      for (const socket of opened) socket.destroy();
      await eventually(live);
    }
    const health = await (await fetch(`${url}/health/ready`)).json();
    expect(health).toMatchObject({ ready: true });
    expect(health.workers).toHaveProperty("HTTP listener");
    process.kill(child!.pid!, "SIGTERM");
    expect(await ended).toBe(0);
    await database.drop();
  });
});
