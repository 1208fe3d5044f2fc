import { recordAudit } from "#metadata/catalogue/audit.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { bundleArchive } from "#platform/support/archive.ts";
import { engineSections, ownSections, readSections } from "#platform/support/sections.ts";

/** Lines of each log file. */
const lines = 500;

/** Makes support bundles of this process and its engines, as `npm run support-bundle`, one at a time. */
export function bundleDownload(context: Context): (actor: Caller) => Promise<Uint8Array> {
  const limiter = new ConcurrencyLimiter({
    concurrency: 1,
    maxWaiting: 0,
    waitMs: 0,
    refused: "Another support bundle is being made; try again in a minute",
    retryAfter: 60,
  });
  return (actor) => limiter.run(() => make(context, actor), callerKey(actor));
}

async function make(context: Context, actor: Caller): Promise<Uint8Array> {
  const { config, own } = context;
  await recordAudit(context, { type: "SUPPORT_BUNDLE_CREATED", actor, subject: "support bundle" });
  const url = own?.url();
  const options = { config, urls: url ? [reachable(url)] : [], logs: [config.data.dir], lines };
  const ownRead = await readSections(ownSections(options));
  const engines = await readSections(engineSections(context));
  return (await bundleArchive([ownRead, engines])).archive;
}

/** An address of this machine, where it listens on all. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
