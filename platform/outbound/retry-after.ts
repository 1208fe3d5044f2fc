const longestRequestedMs = 3_600_000;

/** `Retry-After` in milliseconds, at most an hour: seconds or an HTTP date; 0 when it says nothing. */
export function retryAfter(value: string | null, now: number): number {
  const text = value?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? Math.min(Math.ceil(ms), longestRequestedMs) : 0;
}
