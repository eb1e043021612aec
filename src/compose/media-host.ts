import { Exit } from '../errors/command.ts';
import type { Context } from '../runtime/context.ts';

/** The parts of a run that the question about a media host needs. */
interface Asking {
  readonly globals: { readonly yes?: boolean | undefined };
  readonly out: Pick<Context['out'], 'note'>;
  readonly prompt: Pick<Context['prompt'], 'available' | 'confirm'>;
  readonly settings: Pick<Context['settings'], 'mediaHosts' | 'profile'>;
  readonly run: Context['run'];
}

/**
 * Asks on a terminal whether a media host may receive the token, and stores the answer in the profile. `--yes` does not
 * allow it, because the host would get access to the account.
 */
export async function askMediaHost(
  { globals, out, prompt, settings, run }: Asking,
  host: string,
): Promise<boolean> {
  if (!prompt.available || globals.yes === true) return false;
  out.note(
    `${host} requires the access token, but is not a media host of profile ${settings.profile.value}.`,
  );
  const question = `Send the access token to ${host}? Confirm only if the host belongs to the service`;
  if (!(await prompt.confirm(question))) return false;
  const hosts = [...settings.mediaHosts.value, host].join(',');
  return (await run(['config', 'set', 'media-hosts', hosts], { resultsToStderr: true })) === Exit.ok;
}
