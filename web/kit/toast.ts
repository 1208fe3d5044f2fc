export interface ToastOptions {
  about?: string;
  tone?: "good" | "bad";
  /** Takes back what was done. */
  undo?: () => void;
}

let show: ((title: string, options: ToastOptions) => void) | undefined;
const waiting: [title: string, options: ToastOptions][] = [];
const listeners = new Set<() => void>();
let needed = false;

/** Says briefly what was done, or why it was not; leaves by itself. */
export function toast(title: string, options: ToastOptions = {}): void {
  if (show) return show(title, options);
  waiting.push([title, options]);
  needed = true;
  listeners.forEach((listener) => listener());
}

/** Called by the view when it is there. */
export function showToasts(by: (title: string, options: ToastOptions) => void): void {
  show = by;
  for (const [title, options] of waiting.splice(0)) by(title, options);
}

/** Whether there has been one. */
export const toastsNeeded = (): boolean => needed;

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
