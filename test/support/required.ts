/**
 * Skips tests when a program is missing and reports that on the terminal; fails when `UCCTL_TEST_REQUIRE` names the
 * program, as in CI.
 * @returns why the tests cannot run; undefined when they can.
 */
export function unlessRequired(name: string, missing: string | undefined): string | undefined {
  if (missing === undefined) return undefined;
  const required = (process.env['UCCTL_TEST_REQUIRE'] ?? '').split(',');
  if (required.includes(name)) throw new Error(`${name} is required here: ${missing}`);
  process.stderr.write(`tests with ${name} are skipped: ${missing}\n`);
  return missing;
}
