import { connect } from "node:net";

/**
 * What the API answers to these bytes; the beginning of an answer, or nothing, when the connection ends, or is silent
 * for so many milliseconds and then closed.
 */
export function rawAnswer(
  url: string,
  bytes: string | Uint8Array,
  maxWait = 5_000,
): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(maxWait, done);
    socket.setEncoding("latin1").on("data", (chunk: string) => answer += chunk);
    socket.on("end", done).on("error", done);
  });
}

/** The status of such an answer; 0 where there is none. */
export const rawStatus = (answer: string): number =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** What is wrong with it. An end of the connection is an answer, 5xx of the runtime is none. */
export function rawFault(answer: string): string | null {
  const status = rawStatus(answer);
  const known = /\r\n\r\n[\s\S]*"code":"SYS00/.test(answer) &&
    !answer.includes("Internal Server Error");
  return status >= 500 && !known ? `${status}: ${answer.slice(0, 300)}` : null;
}
