import { readFileSync } from "node:fs";

/**
 * What vitest's JSON reporter says of one test file.
 * @typedef {object} FileResult
 * @property {string} name its path
 * @property {string} status
 * @property {string} message
 * @property {{ fullName: string, status: string }[]} assertionResults
 */

/**
 * @param {string} path of vitest's JSON report
 * @returns {FileResult[]}
 * @throws {Error} when there is none or it names no file
 */
export function resultsIn(path) {
  const { testResults } = JSON.parse(readFileSync(path, "utf8"));
  if (testResults.length === 0) throw new Error("no test ran");
  return testResults;
}

/**
 * One line for each test that did not pass, and one for a file that could not be loaded.
 * @param {FileResult} result
 */
export function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status !== "passed");
  const lines = failed.map(({ fullName, status }) => `${status}: ${name}: ${fullName}`);
  if (status !== "passed" && lines.length === 0) lines.push(`failed to load: ${name}: ${message}`);
  return lines;
}

/** @param {FileResult} result */
export function passedIn({ assertionResults }) {
  return assertionResults.filter((test) => test.status === "passed").length;
}
