import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removed } from "#test/support/engines/directory.ts";
import { findBrowser, howToGetOne } from "#test/support/web/find-browser.ts";

/** Milliseconds that the browser may take for an answer. */
const maxWaitMs = 30_000;

type CdpResult = Record<string, unknown>;

/** A page over the Chrome DevTools Protocol. */
export interface CdpPage {
  send(method: string, params?: object): Promise<CdpResult>;
  /** The value of an expression, or of the promise that it is. */
  value<T>(expression: string): Promise<T>;
}

/**
 * A browser whose pages nobody watches. Playwright asks V8 for the stack of every error (`Runtime.enable`), and React makes some
 * while it is loaded: V8 then reads the whole script again for their lines, which is a third of the time of loading and which
 * no visitor pays.
 */
export class UnwatchedBrowser {
  #last = 0;
  readonly #waiting = new Map<number, (message: CdpResult) => void>();

  private constructor(
    private readonly process: ChildProcess,
    private readonly socket: WebSocket,
    private readonly profile: string,
  ) {
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data) as CdpResult;
      this.#waiting.get(message.id as number)?.(message);
    };
  }

  static async open(): Promise<UnwatchedBrowser> {
    const path = findBrowser();
    if (!path) throw new Error(`No browser: ${howToGetOne}`);
    const profile = mkdtempSync(join(tmpdir(), "tributary-bench-browser-"));
    const args = ["--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
    const process = spawn(path, args, { stdio: ["ignore", "ignore", "pipe"] });
    const socket = new WebSocket(await addressOf(process));
    await new Promise((done, failed) => {
      socket.onopen = done;
      socket.onerror = () => failed(new Error("The browser does not answer"));
    });
    return new UnwatchedBrowser(process, socket, profile);
  }

  /** Opens a page with an empty cache, 1280 × 800 pixels, and closes it after `use`. */
  async page<T>(use: (page: CdpPage) => Promise<T>): Promise<T> {
    const { browserContextId } = await this.#send("Target.createBrowserContext", {});
    const target = { url: "about:blank", browserContextId, width: 1280, height: 800 };
    const { targetId } = await this.#send("Target.createTarget", target);
    const { sessionId } = await this.#send("Target.attachToTarget", { targetId, flatten: true });
    const send: CdpPage["send"] = (method, params = {}) => this.#send(method, params, sessionId);
    try {
      await send("Page.enable");
      return await use({
        send,
        async value<V>(expression: string) {
          const params = { expression, awaitPromise: true, returnByValue: true };
          const { result } = await send("Runtime.evaluate", params);
          return (result as { value: V }).value;
        },
      });
    } finally {
      await this.#send("Target.disposeBrowserContext", { browserContextId });
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.process.once("exit", done));
    await this.#send("Browser.close", {});
    this.socket.close();
    this.process.stderr?.destroy();
    await ended;
    await removed(this.profile);
  }

  #send(method: string, params: object, sessionId?: unknown): Promise<CdpResult> {
    const id = ++this.#last;
    this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    return new Promise((done, failed) => {
      const over = (settleWith: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        settleWith();
      };
      const late = () => failed(new Error(`${method}: no answer within ${maxWaitMs} ms`));
      const timer = setTimeout(() => over(late), maxWaitMs);
      this.#waiting.set(
        id,
        ({ result, error }) =>
          over(() =>
            error
              ? failed(new Error(`${method}: ${JSON.stringify(error)}`))
              : done(result as CdpResult)
          ),
      );
    });
  }
}

/** The address that a browser says on its standard error when it has started. */
function addressOf(process: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let said = "";
    process.stderr!.on("data", (part) => {
      said += part;
      const [, address] = /listening on (ws:\/\/\S+)/.exec(said) ?? [];
      if (address) done(address);
    });
    process.once("exit", () => failed(new Error(`The browser ended: ${said.slice(-500)}`)));
    process.once("error", failed);
  });
}
