/** What people choose for themselves, kept in this browser; `public/theme.js` applies it before the first paint. */
export type Theme = "system" | "light" | "dark";
export type Density = "normal" | "compact";

const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function setTheme(value: Theme): void {
  choose("theme", value === "system" ? undefined : value);
}

export function density(): Density {
  return document.documentElement.dataset.density === "compact" ? "compact" : "normal";
}

export function setDensity(value: Density): void {
  choose("density", value === "normal" ? undefined : value);
}

function choose(name: "theme" | "density", value: string | undefined): void {
  const { dataset } = document.documentElement;
  if (value) dataset[name] = value;
  else delete dataset[name];
  try {
    if (value) localStorage.setItem(`tributary.${name}`, value);
    else localStorage.removeItem(`tributary.${name}`);
  } catch {
    // Storage may be forbidden; then it holds until the page is left.
  }
  listeners.forEach((listener) => listener());
}
