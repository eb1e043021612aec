import { readFileSync } from 'node:fs';
import { stepsOf, type Step } from '../../test/support/document-examples.ts';
import type { Pane } from './pane.ts';
import type { Scene } from './scene.ts';

const guide = readFileSync('docs/guides/account-as-files.md', 'utf8');
const picture = /^!\[(.+)\]\(\.\.\/screens\/([\w-]+)\.svg\)$/gm;

/** A picture of the guide, and the steps that the guide describes between the previous picture and this one. */
interface Shot {
  readonly name: string;
  readonly steps: readonly Step[];
}

const shots: readonly Shot[] = [...guide.matchAll(picture)].map(({ index, 2: name = '' }, at, all) => {
  const before = all[at - 1];
  const start = before === undefined ? 0 : before.index + before[0].length;
  return { name, steps: stepsOf(guide.slice(start, index)) };
});

/**
 * Number of pictures whose steps were typed. A scene first types the steps of earlier pictures that were not
 * selected.
 */
let played = 0;

/** A profile and a folder of its own: other scenes are signed in to another sandbox. */
const opening =
  'unset UCCTL_BASE_URL UCCTL_SANDBOX UCCTL_PASSWORD; export UCCTL_DIALECT=current UCCTL_PROFILE=account; mkdir guide; cd guide; clear';

async function typeLine(pane: Pane, line: string): Promise<readonly string[]> {
  pane.type(line);
  return pane.prompt();
}

/** Types one step. @returns the screen after its last line, which begins on an empty screen. */
async function typeStep(pane: Pane, step: Step): Promise<readonly string[]> {
  if (step.kind === 'not-run') return [];
  if (step.kind === 'file') {
    const content = Buffer.from(step.text).toString('base64');
    return typeLine(pane, `echo ${content} | base64 -d > ${step.name}`);
  }
  const lines = step.text.trim().split('\n');
  if (step.kind === 'background') {
    // The first line of the output shows that the command is ready.
    await typeLine(pane, `${lines.join('; ')} > background.log 2>&1 &`);
    return typeLine(pane, 'until [ -s background.log ]; do sleep 0.1; done');
  }
  let screen: readonly string[] = [];
  for (const line of lines) {
    await pane.clear();
    screen = await typeLine(pane, line);
  }
  return screen;
}

async function playTo(pane: Pane, shot: number): Promise<readonly string[]> {
  if (played === 0) await typeLine(pane, opening);
  let screen: readonly string[] = [];
  for (; played <= shot; played += 1)
    for (const step of shots[played]?.steps ?? []) screen = await typeStep(pane, step);
  return screen;
}

/**
 * The pictures of the guide to accounts as files: the last command before each picture, with its output. The guide
 * itself is the script, which a test types too. These scenes come last, because they leave the sandbox of the other
 * scenes.
 */
export const accountScenes: readonly Scene[] = shots.map(({ name, steps }, at) => ({
  name,
  title: steps.at(-1)?.kind === 'run' ? (steps.at(-1)?.text.trim().split('\n').at(-1) ?? name) : name,
  columns: 110,
  rows: 24,
  play: (pane) => playTo(pane, at),
}));
