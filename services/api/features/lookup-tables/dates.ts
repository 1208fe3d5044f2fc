/** The date, when it is one of years 1 to 9999; else null. */
export function realDate(text: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12 || day < 1) return null;
  return day <= daysOf(year, month) ? text : null;
}

function daysOf(year: number, month: number): number {
  if (month === 2) {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return leap ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The time of a day without a zone, when there is such a one; else null. */
export function parseTime(text: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d{1,6})?$/.exec(text);
  if (!match || realDate(match[1]!) === null) return null;
  const [hours, minutes, seconds] = match.slice(2, 5).map(Number) as [number, number, number];
  return hours < 24 && minutes < 60 && seconds < 60 ? text : null;
}
