import { readConfigFile } from '../../config/index.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';

/**
 * Asks before a sign-in replaces the address of a profile with another service: a sign-in to a sandbox must not silently
 * replace the account that scripts use. Services on this machine, such as sandboxes, are replaced without a question,
 * because their ports change.
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9)
 */
export async function confirmReplacement(ctx: Context, baseUrl: URL): Promise<void> {
  const name = ctx.settings.profile.value;
  const { profiles } = await readConfigFile(ctx.paths);
  const former = Object.hasOwn(profiles, name) ? profiles[name]?.['baseUrl'] : undefined;
  if (typeof former !== 'string' || !URL.canParse(former)) return;
  const { origin, hostname } = new URL(former);
  if (origin === baseUrl.origin || isLoopback(hostname)) return;
  ctx.out.warn(
    nextStep`profile "${name}" is set up for ${origin}; to keep it, use another profile: ${ucctl('login -p NAME')}`,
  );
  await requireConfirmation(
    ctx,
    `Use profile "${name}" for ${baseUrl.origin} from now on?`,
    'the profile and its session are unchanged',
  );
}
