/**
 * Rejects options that would have no effect.
 * @param options whether the user gave each option, by its name, e.g. `--host`
 * @param error returns the error for the first given option
 * @throws the error for the first given option.
 */
export function rejectGiven(
  options: Readonly<Record<string, boolean>>,
  error: (option: string) => Error,
): void {
  const option = Object.keys(options).find((name) => options[name]);
  if (option !== undefined) throw error(option);
}
