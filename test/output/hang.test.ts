import { describe, expect, it } from 'vitest';
import { hang } from '../../src/output/hang.ts';

describe('text for people that is wider than the terminal', () => {
  it('is wrapped between words, and indented below its label', () => {
    const text =
      'error: user name, extension or password refused\n' +
      '  try:     check --username (a number in E.164), --extension, and the password';
    expect(hang(text, 40).split('\n')).toEqual([
      'error: user name, extension or password',
      '  refused',
      '  try:     check --username (a number in',
      '           E.164), --extension, and the',
      '           password',
    ]);
  });

  it('keeps commands and addresses on one line, to be copied', () => {
    const text = '  try:     look at the current state now: ucctl queue members Support';
    expect(hang(text, 40).split('\n')).toEqual([
      '  try:     look at the current state',
      '           now:',
      '           ucctl queue members Support',
    ]);
    const address = `https://platform.example.com/${'x'.repeat(60)}`;
    expect(hang(`see ${address}`, 40).split('\n')).toEqual(['see', address]);
    const command = 'ucctl history show 20261123-000254-f512';
    expect(hang(`1 column hidden; show the changes again: ${command}`, 40).split('\n')).toEqual([
      '1 column hidden; show the changes again:',
      command,
    ]);
  });

  it('keeps the export of a long variable on one line, so that a shell exports the variable', () => {
    const line = `export UCCTL_REDIRECT_URIS='${'http://127.0.0.1:8734/callback,'.repeat(3)}'`;
    expect(hang(`export UCCTL_CLIENT_ID='sandbox-desk'\n${line}`, 60).split('\n')).toEqual([
      "export UCCTL_CLIENT_ID='sandbox-desk'",
      line,
    ]);
  });

  it('wraps a sentence that contains commands and is wider than a line', () => {
    const text = 'No events. Use ucctl webhook listen or ucctl subscribe tail to receive events.';
    expect(hang(text, 60).split('\n')).toEqual([
      'No events. Use ucctl webhook listen or ucctl subscribe tail',
      '  to receive events.',
    ]);
    const command = `ucctl login --base-url https://platform.example.com --client-id ${'x'.repeat(20)}`;
    expect(hang(`try: ${command}`, 60).split('\n')).toEqual(['try:', command]);
  });

  it('counts columns: none for colours, two for wide characters', () => {
    const red = '\u001B[31merror:\u001B[39m ';
    expect(hang(`${red}${'a'.repeat(33)}`, 40)).toBe(`${red}${'a'.repeat(33)}`);
    expect(hang('電話電話電話電話 電話電話電話電話 電話', 40).split('\n')).toEqual([
      '電話電話電話電話 電話電話電話電話 電話',
    ]);
    expect(hang('電話電話電話電話 電話電話電話電話 電話電話', 36).split('\n')).toHaveLength(2);
  });

  it('does not wrap without a terminal or on a terminal of a few columns', () => {
    const text = 'a b c '.repeat(30);
    expect(hang(text, undefined)).toBe(text);
    expect(hang(text, 20)).toBe(text);
  });
});
