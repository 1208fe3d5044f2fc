import type { Page } from "playwright-core";

/** Texts of one line that reach over their box, so that they lie on what is next to them. */
export const overlapping = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("main *, header *")].filter((one) => {
    const style = getComputedStyle(one);
    return style.whiteSpace === "nowrap" && style.overflowX === "visible" && style.position !== "absolute" &&
      one.childElementCount === 0 && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
  }).map((one) => one.className + ": " + one.textContent)`);

/** Buttons and links that no scrolling brings into view. */
export const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("main button, main a")].filter((one) => {
    const { width, right, left } = one.getBoundingClientRect();
    if (width === 0 || one.closest(".visually-hidden")) return false;
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return false;
    }
    return right > innerWidth + 1 || (left < -1 && left > -200);
  }).map((one) => one.getAttribute("aria-label") ?? one.textContent)`);
