import type { Row } from "../support/report.ts";
import { measurementRow, median } from "./measurement.ts";
import { UnwatchedBrowser } from "./cdp-page.ts";
import { type PageTimings, watch } from "./watch.ts";

const rounds = 5;

/** Milliseconds without anything loaded, painted or worked on, after which a page is taken to be there. */
const quietMs = 1_000;

const slowNetwork = {
  offline: false,
  latency: 40,
  downloadThroughput: 10e6 / 8,
  uploadThroughput: 10e6 / 8,
};

/** The home page over an empty cache, on this machine as it is and as a slow one. */
export async function paintRows(url: string): Promise<Row[]> {
  const browser = await UnwatchedBrowser.open();
  try {
    const local = await medians(browser, url, false);
    const slow = await medians(browser, url, true);
    const where = "CPU ÷ 4, 10 Mbit/s, 40 ms";
    return [
      measurementRow("first contentful paint, local", "ms", local("fcp"), 250),
      measurementRow("largest contentful paint, local", "ms", local("lcp"), 250),
      measurementRow(`first contentful paint, ${where}`, "ms", slow("fcp"), 800),
      measurementRow(`largest contentful paint, ${where}`, "ms", slow("lcp"), 800),
      measurementRow(`blocked in long tasks, ${where}`, "ms", slow("tbt"), 100),
      measurementRow(`layout shift, ${where}`, "CLS", slow("cls"), 0),
    ];
  } finally {
    await browser.close();
  }
}

/** The median of what was seen of each round. */
async function medians(browser: UnwatchedBrowser, url: string, slow: boolean) {
  const all: PageTimings[] = [];
  for (let round = 0; round < rounds; round++) all.push(await loaded(browser, url, slow));
  return (name: keyof PageTimings) => median(all.map((one) => one[name]));
}

/** What was seen of one loading of the page. */
function loaded(browser: UnwatchedBrowser, url: string, slow: boolean): Promise<PageTimings> {
  return browser.page(async ({ send, value }) => {
    await send("Page.addScriptToEvaluateOnNewDocument", { source: `(${watch})()` });
    if (slow) {
      await send("Network.enable");
      await send("Network.emulateNetworkConditions", slowNetwork);
      await send("Emulation.setCPUThrottlingRate", { rate: 4 });
    }
    await send("Page.navigate", { url });
    return await value<PageTimings>(`new Promise((done) => {
      let last = performance.now();
      const entryTypes = ["resource", "longtask", "paint", "largest-contentful-paint"];
      new PerformanceObserver(() => last = performance.now()).observe({ entryTypes });
      const look = () => performance.now() - last > ${quietMs} && document.querySelector("main")
        ? done(seen) : setTimeout(look, 50);
      look();
    })`);
  });
}
