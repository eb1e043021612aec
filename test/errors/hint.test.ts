import { expect, it } from 'vitest';
import { hintText, nextStep, ucctl } from '../../src/errors/hint.ts';

it('is a text with commands', () => {
  const hint = nextStep`list them: ${ucctl('queue list')}; at most ${3}`;
  expect(hintText(hint)).toBe('list them: ucctl queue list; at most 3');
  expect(hintText('give --yes')).toBe('give --yes');
  expect(hintText(ucctl('login'))).toBe('ucctl login');
});

it('includes another hint with its commands', () => {
  const outer = nextStep`the first: ${nextStep`sign in: ${ucctl('login')}`}; then go on`;
  expect(hintText(outer, 'work')).toBe('the first: sign in: ucctl login -p work; then go on');
});

it.each([
  ['queue list', 'ucctl -p work queue list'],
  ['login --flow code', 'ucctl login -p work --flow code'],
  ['logout', 'ucctl logout -p work'],
  ['status', 'ucctl status -p work'],
  ['login -p other --base-url URL', 'ucctl login -p other --base-url URL'],
  ['profile use NAME', 'ucctl profile use NAME'],
  ['sandbox start', 'ucctl sandbox start'],
  ['schema queue list', 'ucctl schema queue list'],
  ['--help', 'ucctl --help'],
])('names the profile in ucctl %s', (words, shown) => {
  expect(hintText(ucctl(words), 'work')).toBe(shown);
  expect(hintText(ucctl(words))).toBe(`ucctl ${words}`);
});

it('keeps text that only looks like a command', () => {
  expect(hintText('install ucctl again, in the folder of ucctl queue', 'work')).toBe(
    'install ucctl again, in the folder of ucctl queue',
  );
});

it('quotes the values of a command for a shell', () => {
  const shown = (command: ReturnType<typeof ucctl>): string => hintText(command);
  expect(shown(ucctl`queue show ${'Sales $(id)'} -o json`)).toBe("ucctl queue show 'Sales $(id)' -o json");
  expect(shown(ucctl`message show ${['1', "a'b"]} --limit ${3}`)).toBe(
    String.raw`ucctl message show 1 'a'\''b' --limit 3`,
  );
  expect(shown(ucctl`${ucctl('queue apply --resume')} ${'r 1'}`)).toBe("ucctl queue apply --resume 'r 1'");
  expect(shown(ucctl`${[]} sync ${[]} --full ${[]}`)).toBe('ucctl sync --full');
  expect(shown(ucctl`queue show ${''}`)).toBe("ucctl queue show ''");
  expect(hintText(ucctl('queue list'), 'a b')).toBe("ucctl -p 'a b' queue list");
});
