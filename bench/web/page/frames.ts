const nextFrame = () => new Promise<number>((done) => requestAnimationFrame(done));

/** The page as a whole for each measurement: what was there before is gone. */
export function emptyContainer(): HTMLElement {
  const container = document.getElementById("room")!;
  container.replaceChildren();
  return container;
}

/** Resolves when what was changed before is on the screen. */
export async function painted(): Promise<void> {
  await nextFrame();
  await nextFrame();
}

/** 95th percentile of the time between frames in milliseconds, while `step` changes what is shown before each. */
export async function framesOf(count: number, step: (at: number) => void): Promise<number> {
  const times: number[] = [];
  await painted();
  let last = await nextFrame();
  for (let at = 0; at < count; at++) {
    step(at);
    const now = await nextFrame();
    times.push(now - last);
    last = now;
  }
  times.sort((a, b) => a - b);
  return times[Math.ceil(0.95 * times.length) - 1]!;
}
