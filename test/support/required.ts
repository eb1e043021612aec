/** A missing program is a visible skip on a person's machine and a failure where `UCCTL_TEST_REQUIRE` names it, as CI does. */
export function unlessRequired(name: string, missing: string | undefined): string | undefined {
  const required = (process.env['UCCTL_TEST_REQUIRE'] ?? '').split(',');
  if (missing !== undefined && required.includes(name))
    throw new Error(`${name} is required here: ${missing}`);
  return missing;
}
