export const periods = [1, 7, 30, 90, 365] as const;
const usual = 30;

/** Days that the address tells; null while the changes are not shown. */
export function daysOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  return periods.find((days) => String(days) === text) ?? usual;
}
