import { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { closePages, sharedBrowser, visit } from "#test/support/web/browser.ts";
import { startSite } from "#test/support/web/site.ts";

const below = "/catalog";

let open: Instance;
let site: Instance;
let proxy: Proxy;
let browser: Browser;

beforeAll(async () => {
  open = await startSite();
  proxy = await startProxy();
  site = await startInstance("embedded", {
    sharedDatabase: open.test,
    config: {
      catalog: { "platform-base-url": proxy.url },
      auth: { type: "LOGIN_FORM", "login-form-credentials": "bob:bob's word" },
    },
  });
  proxy.to(site.url);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await proxy?.stop();
  await site?.stop();
  await open?.stop();
});

interface Proxy {
  url: string;
  to: (url: string) => void;
  /** Paths that were requested outside of its own. */
  astray: string[];
  stop: () => Promise<void>;
}

/** Takes the path away that it serves below, as proxies of organisations do; hands on everything else as it comes. */
async function startProxy(): Promise<Proxy> {
  let target = new URL("http://127.0.0.1:9");
  const astray: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [[client, service], [service, client]] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (bytes) => {
      // A browser sends one request after another, so each head begins what arrives.
      const text = bytes.toString("latin1");
      const path = /^[A-Z]+ (\S+) HTTP/.exec(text)?.[1];
      if (path !== undefined && !/^\/catalog(?:[/?]|$)/.test(path)) astray.push(path);
      const stripped = text.replace(/^([A-Z]+) \/catalog\/?/, "$1 /");
      service.write(Buffer.from(stripped, "latin1"));
    });
    service.pipe(client);
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    to: (url) => target = new URL(url),
    astray,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

it("everything stays below the path of a proxy: screens, worker, stream, signing in and out", async () => {
  const { page, problems } = await visit(browser, proxy.url);
  const at = (path: string) => page.waitForURL((url) => url.pathname.startsWith(below + path));
  await page.goto(`${proxy.url}/search?q=fct_orders`);
  await at("/login");
  await page.getByLabel("User name").fill("bob");
  await page.getByLabel("Password").fill("bob's word");
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Sign in" }).click();
  await at("/search");
  expect(new URL(page.url()).search).toBe("?q=fct_orders");
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("main").getByText("fct_orders", { exact: true }).first().waitFor();
  expect(await problems()).toEqual([]);

  await page.getByRole("link", { name: "Home" }).first().click();
  await at("/");
  await page.getByText(/assets? in the catalogue/).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump to…" }).fill("fct_ord");
  await page.getByRole("option").filter({ has: page.getByText("fct_orders", { exact: true }) })
    .click();
  await at("/dataentities/");
  await page.reload();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Lineage" })
    .click();
  await page.getByRole("application", { name: /^Lineage of/ }).waitFor();
  await page.getByText(/^\d+ assets?/).waitFor();
  expect(await problems()).toEqual([]);

  await page.getByRole("button", { name: "Signed in as bob" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await at("/login");
  await page.getByText("You are signed out.").waitFor();
  expect(await problems()).toEqual([]);
  expect(proxy.astray).toEqual([]);
});
