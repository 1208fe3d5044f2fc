import { expect } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

/** `connections.secret-key` of tests. */
export const secretKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/** A run as the API answers it. */
export interface RunOfConnection {
  id: number;
  state: string;
  counts: Record<string, number>;
  checks: { name: string; outcome: string }[];
  preview: string[];
  problems: { object: string; reason: string }[];
  error: { reason: string; remedy: string | null } | null;
}

/** The settings of a connection to the schema `shop` of a test database. */
export function connectionSettings(url: string, more: Record<string, unknown> = {}) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    include: ["shop.*"],
    ...more,
  };
}

/** What tests do with connections of an instance. */
export function connectionsOf(instance: () => Pick<Instance, "send" | "json">) {
  const post = async (path: string, body?: unknown) => {
    const response = await instance().send("POST", path, body);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const ended = async (id: number): Promise<RunOfConnection> => {
    let run!: RunOfConnection;
    await eventually(async () => {
      run = await instance().json(`/api/connection-runs/${id}`) as RunOfConnection;
      expect(["QUEUED", "RUNNING"]).not.toContain(run.state);
    });
    return run;
  };
  const request = async (connection: number, what: "run" | "test" | "preview" = "run") =>
    (await post(`/api/connections/${connection}/${what}`)).id as number;
  return {
    /** Creates one that nothing schedules. */
    connect: (name: string, settings: Record<string, unknown>) =>
      post("/api/connections", {
        name,
        connector: "postgresql",
        settings,
        paused: true,
      }) as Promise<
        { id: number; data_source_catrn: string }
      >,
    request,
    ended,
    /** Requests a run and waits for its end. */
    doing: async (connection: number, what?: "run" | "test" | "preview") =>
      await ended(await request(connection, what)),
    /** The entity in lists; undefined of one that is deleted or not there yet. */
    entity: async (catrn: string) => {
      const query = new URLSearchParams({ catrn, page: "1", size: "1" });
      const { items } = await instance().json(`/api/dataentities?${query}`) as {
        items: { id: number }[];
      };
      return items[0];
    },
  };
}
