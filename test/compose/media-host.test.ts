import { describe, expect, it } from 'vitest';
import { askMediaHost } from '../../src/compose/media-host.ts';
import { resolveSettings } from '../../src/config/index.ts';
import { temporaryPaths } from '../support/temporary.ts';

async function asked(given: {
  readonly available: boolean;
  readonly yes?: boolean;
  readonly confirms?: boolean;
}) {
  const settings = await resolveSettings({
    flags: {},
    env: { UCCTL_MEDIA_HOSTS: 'media.example.com' },
    paths: temporaryPaths(),
  });
  const questions: string[] = [];
  const commands: string[] = [];
  const allowed = await askMediaHost(
    {
      globals: { yes: given.yes },
      out: { note: () => undefined },
      prompt: {
        available: given.available,
        confirm: (question) => {
          questions.push(question);
          return Promise.resolve(given.confirms ?? false);
        },
      },
      settings,
      run: (argv) => {
        commands.push(argv.join(' '));
        return Promise.resolve(0);
      },
    },
    'files.example.net',
  );
  return { allowed, questions, commands };
}

describe('the first use of a media host that is not listed', () => {
  it('asks on a terminal, and adds the host to the setting', async () => {
    const { allowed, questions, commands } = await asked({ available: true, confirms: true });
    expect(allowed).toBe(true);
    expect(questions).toEqual([expect.stringContaining('Send the access token to files.example.net?')]);
    expect(commands).toEqual(['config set media-hosts media.example.com,files.example.net']);
  });

  it.each([
    ['without a terminal', { available: false }, 0],
    ['with --yes, which does not allow a host', { available: true, yes: true }, 0],
    ['after the answer no', { available: true, confirms: false }, 1],
  ])('sends no token %s, and stores nothing', async (_name, given, count) => {
    const { allowed, questions, commands } = await asked(given);
    expect([allowed, questions.length, commands]).toEqual([false, count, []]);
  });
});
