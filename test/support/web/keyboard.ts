import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Tabs to the main thing of a screen beyond which it is too far. */
const maxTabs = 12;

/** Somebody who has no mouse. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Goes to a control by Tab, or by Shift and Tab; it has to be near, and to show that it has the focus. */
  async tabTo(wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    // Until it is loaded something stands in its place that takes no focus.
    await expect.poll(() => wanted.isEnabled(), { message: `${wanted} is enabled` }).toBe(true);
    for (let presses = 1; presses <= maxTabs; presses++) {
      await this.press(key);
      if (await this.#is(wanted, ":focus")) return await this.#sees(wanted);
    }
    throw new Error(
      `${maxTabs} Tabs do not lead to ${wanted}; the focus is on ${await this.#at()}`,
    );
  }

  /** Steps with an arrow key until it is on what is wanted: an option, an item of a menu. */
  async stepTo(wanted: Locator, key = "ArrowDown"): Promise<void> {
    await wanted.waitFor();
    for (let presses = 0; presses <= maxTabs; presses++) {
      if (await this.#is(wanted, "[data-highlighted], :focus")) return;
      await this.press(key);
    }
    throw new Error(`${key} does not lead to ${wanted}`);
  }

  /** Past the frame of the interface to the screen and, where it has tabs, past them. */
  async skip(...further: string[]): Promise<void> {
    for (const name of ["Skip to content", ...further]) {
      await this.tabTo(this.#page.getByRole("link", { name, exact: true }));
      await this.press("Enter");
    }
  }

  /** Waits until something has the focus. */
  has(wanted: Locator): Promise<void> {
    return wanted.and(this.#page.locator(":focus")).waitFor({ state: "attached" });
  }

  /** Waits until what has the focus is within something. */
  within(wanted: Locator): Promise<void> {
    return wanted.and(this.#page.locator(":focus-within")).waitFor({ state: "attached" });
  }

  async #is(wanted: Locator, state: string): Promise<boolean> {
    return await wanted.and(this.#page.locator(state)).count() > 0;
  }

  async #sees(wanted: Locator): Promise<void> {
    const outline = await this.#page.evaluate(
      "getComputedStyle(document.activeElement).outlineStyle",
    );
    expect(outline, `${wanted} shows that it has the focus`).not.toBe("none");
  }

  #at(): Promise<unknown> {
    return this.#page.evaluate("document.activeElement.outerHTML.slice(0, 200)");
  }
}

/** What the focus is on, if somebody who has no mouse does not see it: it is outside the window, covered, or not marked. */
export const hiddenFocus = (page: Page): Promise<string | null> =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => {
    const at = document.activeElement;
    if (at === document.body) return done(null);
    const { left, top, right, bottom } = at.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const above = document.elementFromPoint(x, y);
    const isThere = above && (at.contains(above) || above.contains(at) || above.closest("label")?.control === at);
    const marked = [at, at.closest("label"), at.parentElement].some((one) =>
      one && (getComputedStyle(one).outlineStyle !== "none" || getComputedStyle(one).boxShadow !== "none"));
    const problem = right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight ? "outside the window"
      : !isThere ? "covered by " + above?.outerHTML.slice(0, 120) : marked ? null : "not marked";
    done(problem && problem + ": " + at.outerHTML.slice(0, 160));
  }))`);
