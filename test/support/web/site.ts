import { resolve } from "node:path";
import {
  type EngineSet,
  type Instance,
  type InstanceOptions,
  startInstance,
} from "#test/support/engines/instance.ts";
import { ensureLoaded, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { demo } from "../../../tools/demo/main.ts";
import { ensureWebBuilt } from "../../../tools/web/ensure.mjs";

/**
 * A running Tributary with its interface built and the demonstration loaded, over a database of its own. Without
 * options that is a copy of one that is loaded once in a run, since loading costs the most.
 */
export async function startSite(
  set: EngineSet = "embedded",
  options: InstanceOptions = {},
): Promise<Instance> {
  if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
  if (set === "embedded" && Object.keys(options).length === 0) return await startCopy();
  const instance = await startInstance(set, options);
  await loadDemo(instance);
  return instance;
}

async function loadDemo(instance: Instance): Promise<void> {
  // Nothing listens there: the demonstration sends no traces.
  await demo(instance.url, () => {}, { url: "http://127.0.0.1:9" });
  await projected(instance);
}

async function startCopy(): Promise<Instance> {
  const source = await ensureLoaded("demo", async (test) => {
    const instance = await startInstance("embedded", { sharedDatabase: test });
    await loadDemo(instance).finally(() => instance.stop());
  });
  const test = await testDatabase(undefined, source);
  const instance = await startInstance("embedded", { sharedDatabase: test });
  return {
    ...instance,
    async stop() {
      await instance.stop();
      await test.drop();
    },
  };
}

/** Resolves once the lineage graph has all that was taken in so far. */
export async function projected(instance: Pick<Instance, "json">): Promise<void> {
  await eventually(async () => {
    const { lag } = await instance.json("/api/ops/projection") as { lag: number | null };
    if (lag !== 0) throw new Error(`the graph lacks ${lag} changes`);
  });
}

/** Id of the entity of the demonstration whose CATRN ends so; `query`: words of its name. */
export async function idOf(
  instance: Pick<Instance, "json">,
  query: string,
  end: string,
): Promise<number> {
  const path = `/api/dataentities?page=1&size=50&query=${encodeURIComponent(query)}`;
  const { items } = await instance.json(path) as { items: { id: number; catrn: string }[] };
  const found = items.find(({ catrn }) => catrn.endsWith(end));
  if (!found) throw new Error(`no entity ends in ${end}`);
  return found.id;
}
