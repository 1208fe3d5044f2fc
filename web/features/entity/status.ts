/** Whether a status ends by itself, at a time that is given with it. */
export function endsByItself(status: string): boolean {
  return status === "DRAFT" || status === "DEPRECATED";
}

/** A moment as a field of date and time holds it: `2026-05-01T12:00`, in the time of the place. */
export function asLocalInput(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${
    two(at.getHours())
  }:${two(at.getMinutes())}`;
}

/** Noon of the day so many days ahead. */
export function inDays(days: number, now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
}
