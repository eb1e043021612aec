import type { Pane } from './pane.ts';
import type { Scene } from './scene.ts';

/** Switches the shell to a sandbox of dialect `current`, which the first of these scenes starts, with an empty working folder. */
const current = [
  '[ -s current.json ] || { unset UCCTL_BASE_URL UCCTL_SANDBOX; ucctl sandbox start --dialect current --rate-limits off --ready-file current.json > current.log 2>&1 & }; clear',
  'until [ -s current.json ]; do sleep 0.1; done; clear',
  'eval "$(ucctl sandbox env --ready-file current.json)"; export UCCTL_DIALECT=current; clear',
  'ucctl sandbox assertion 100 | ucctl login -p account --flow jwt --assertion-stdin -q > /dev/null; export UCCTL_PROFILE=account; clear',
] as const;

const edits = [
  'ucctl account export company -q > /dev/null',
  'ucctl queue assign --queue Support --add 107 --yes -q > /dev/null',
  "sed -i 's/saturday: closed/saturday: 10:00-14:00/;ta;b;:a;n;ba' company/hours.yaml",
] as const;

async function play(pane: Pane, before: readonly string[], line: string): Promise<readonly string[]> {
  for (const one of [...current, ...before]) {
    pane.type(one);
    await pane.prompt();
  }
  await pane.clear();
  pane.type(line);
  return pane.prompt();
}

/** Pictures of the guide to accounts as files. They come last, because they leave the sandbox of the other scenes. */
export const accountScenes: readonly Scene[] = [
  {
    name: 'account-export',
    title: 'ucctl account export company',
    columns: 100,
    rows: 16,
    play: (pane) => play(pane, ['rm -rf company'], 'ucctl account export company'),
  },
  {
    name: 'account-diff',
    title: 'ucctl account diff company',
    columns: 100,
    rows: 16,
    play: (pane) => play(pane, edits, 'ucctl account diff company'),
  },
];
