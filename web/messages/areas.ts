/** Areas of messages that the frame and the first screen show; the rest is loaded next to them. */
export const firstAreas: readonly string[] = ["app", "kit", "components", "home", "names"];
