/**
 * Asks for every request that a run would send, under dry run; the transport keeps each of them back.
 * @throws {DryRunStop} with all of them; returns when there is none.
 */
export async function withholdAll(sends: Iterable<() => Promise<unknown>>): Promise<void> {
  let last: unknown;
  for (const send of sends) {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'DryRunStop') throw error;
      last = error;
    }
  }
  if (last !== undefined) throw last;
}
