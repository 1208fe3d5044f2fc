/** A moment as an input of type `datetime-local` has it: by the clock of the one who looks, to the minute. */
export function toLocalInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Back from there, as the API takes it; undefined for what is no moment. */
export function fromLocalInput(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Lengths of time that people choose, in hours. */
export const lengths: readonly number[] = [1, 8, 24, 168];

/** The moment so many hours from now, for an input. */
export function inHours(hours: number): string {
  return toLocalInput(new Date(Date.now() + hours * 3_600_000));
}
