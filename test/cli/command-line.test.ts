import { describe, expect, it } from 'vitest';
import { exampleNoun, nounWith } from '../support/example-noun.ts';
import { runUcctl, type RunOptions } from '../support/run-ucctl.ts';
import { temporaryPaths } from '../support/temporary.ts';

/** What the handler of an example command gets for a command line. */
async function optionsOf(
  argv: readonly string[],
  more: Pick<RunOptions, 'paths'> = {},
): Promise<{
  readonly exit: number;
  readonly stderr: string;
  readonly format: string | undefined;
  readonly options: Readonly<Record<string, unknown>> | undefined;
}> {
  let options: Readonly<Record<string, unknown>> | undefined;
  let format: string | undefined;
  const nouns = nounWith(async (ctx, given) => {
    options = given;
    format = ctx.out.format;
  });
  const { exit, stderr } = await runUcctl(argv, { ...more, nouns });
  return { exit, stderr, format, options };
}

const bare = { words: [], count: 1, rest: [] };

describe('--json', () => {
  it.each([
    [['book', 'put', '--json', '7']],
    [['book', 'put', '7', '--json']],
    [['--json', 'book', 'put', '7']],
    [['book', '--json', 'put', '7']],
    [['book', 'put', '--json=id,name', '7']],
    [['book', 'put', '7', '-o', 'json']],
    [['book', 'put', '-ojson', '7']],
    [['book', 'put', '--output=JSON', '7']],
    [['-o', 'json', 'book', 'put', '7']],
    [['book', 'put', '-qo', 'json', '7']],
  ])('%j is the json format and takes no argument', async (argv) => {
    expect(await optionsOf(argv)).toEqual({
      exit: 0,
      stderr: '',
      format: 'json',
      options: { ...bare, id: '7' },
    });
  });

  it.each([
    [['book', 'put', '7', '--text', '--json'], { ...bare, id: '7', text: '--json' }],
    [['book', 'put', '7', '-t', '-h'], { ...bare, id: '7', text: '-h' }],
    [['book', 'put', '7', '--', '--json', '-o', 'a,b'], { ...bare, id: '7', words: ['--json', '-o', 'a,b'] }],
  ])('%j leaves it the value that it is', async (argv, options) => {
    expect(await optionsOf(argv)).toMatchObject({ exit: 0, format: 'tsv', options });
  });
});

describe('a value that is attached to a short flag', () => {
  it.each([
    [['-pdemo', 'book', 'put', '7', '-o', 'json']],
    [['-ojson', '-qpdemo', 'book', 'put', '7']],
    [['book', '-pdemo', 'put', '-qojson', '7']],
  ])('%j does not take the next word, whatever its last letter', async (argv) => {
    const paths = temporaryPaths();
    expect((await runUcctl('profile add demo', { paths })).exit).toBe(0);
    expect(await optionsOf(argv, { paths })).toMatchObject({ exit: 0, format: 'json', options: { id: '7' } });
  });
});

describe('options', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['7', {}],
    ['7 a b', { words: ['a', 'b'] }],
    ['--count 9 7', { count: 9 }],
    ['7 --color darkblue', { color: 'DarkBlue' }],
    ['7 --within 90s', { within: 90 }],
    ['7 --within 15m', { within: 900 }],
    ['7 --within=2h', { within: 7200 }],
    ['7 --within 1d', { within: 86_400 }],
    ['7 --within 1.5h', { within: 5400 }],
    ['7 --loud', { loud: true }],
    ['7 --no-loud', { loud: false }],
    ['7 --rest a,b --rest c', { rest: ['a,b', 'c'] }],
    ['7 -t=x', { text: '=x' }],
  ])('book put %s', async (line, given) => {
    expect(await optionsOf(['book', 'put', ...line.split(' ')])).toMatchObject({
      exit: 0,
      options: { ...bare, id: '7', ...given },
    });
  });

  it('names the values of a missing argument, and an example of the command itself', async () => {
    const { exit, stderr } = await runUcctl('sandbox phone');
    expect([exit, stderr]).toEqual([
      2,
      'error: ACTION is missing: action (one of: answer, busy, reject, hangup, hold, park, resume)\n' +
        '  try:     ucctl sandbox phone answer 102\n',
    ]);
  });

  it('splits lists at commas and joins repeated ones', async () => {
    const { options } = await optionsOf(['book', 'list', '--shelf', 'a, b', '--shelf', 'c,']);
    expect(options).toEqual({ shelf: ['a', 'b', 'c'] });
  });

  it.each([
    ['book put', 'BOOK is missing: the book\n  try:     ucctl book put 1 --color red'],
    ['book put 7 --count 10', '--count: 10 is out of range\n  try:     use a whole number from 1 to 9'],
    ['book put 7 --count 1.5', '--count: "1.5" is not a whole number'],
    ['book put 7 --count 0x5', '--count: "0x5" is not a whole number'],
    ['book put 7 --within 10s', '--within: 10s is out of range\n  try:     use a duration from 1m to 1d'],
    ['book put 7 --within 99999999999999', '--within: "99999999999999" is not a valid duration'],
    ['book put 7 --within 2w', '--within: 2w is out of range'],
    ['book put 7 --within 1y', '--within: "1y" is not a valid duration'],
    [
      'book put 7 --within 2M',
      '--within: "2M" is not a valid duration\n  try:     write 2 minutes as 2m; for 2 months, use 60d',
    ],
    ['book put 7 --within soon', '--within: "soon" is not a valid duration'],
    ['book put 7 --color blue', '--color: "blue" is not a valid value'],
    ['book put 7 --text a --file b', '--text and --file cannot be used together'],
    ['book put 7 --text', '-t, --text TEXT requires a value'],
    ['book put 7 -t', '-t, --text TEXT requires a value'],
    ['book put 7 -yt', '-t, --text TEXT requires a value'],
    ['book put 7 --colour=red', 'unknown flag --colour=red'],
    ['book put --book 7', 'BOOK is an argument, not a flag: ucctl book put BOOK'],
    ['book put --id=7', 'BOOK is an argument, not a flag: ucctl book put BOOK'],
    ['book put 7 --lou', 'did you mean --loud'],
    ['book put 7 --ouptut json', 'did you mean --output?'],
    ['book list extra', 'unexpected argument "extra"'],
    ['book list shelf', 'unexpected argument "shelf"\n  try:     did you mean --shelf TEXT?'],
    ['book list --json id name', 'attach the fields to the flag: --json=id,name'],
    ['book list --dry-run', 'unknown flag --dry-run'],
    [
      'book list --verbose',
      'unknown flag --verbose\n  try:     to show the requests and replies: --debug=http',
    ],
    ['book list -v', 'unknown flag -v\n  try:     to show the requests and replies: --debug=http'],
    ['book list --curl', 'unknown flag --curl\n  try:     to show the requests and replies: --debug=http'],
    ['book lsit', 'did you mean ucctl book list?'],
    ['book sell', 'one of: list, show, follow, put'],
    ['bok list', 'did you mean ucctl book?'],
    ['--vresion', 'did you mean --version?'],
    ['-x', 'unknown flag -x\n  try:     ucctl --help'],
    ['--profile', '-p, --profile NAME requires a value\n  try:     ucctl --help'],
    ['-o xml', '--output: "xml" is not a valid value'],
    ['-- book list', 'unexpected argument "book"'],
    ['book -x', 'unknown flag -x\n  try:     ucctl book --help'],
    ['book --version', 'unknown flag --version\n  try:     ucctl book --help'],
    ['book --dry-run', 'unknown flag --dry-run\n  try:     ucctl book --help'],
    ['book -- list', 'unexpected argument "list"'],
    ['--profil demo book list', 'unknown flag --profil\n  try:     did you mean --profile?'],
    ['--count 5 book put 7', 'unknown flag --count\n  try:     write the flags of a command after its name'],
    ['book list --debug=htpp', '--debug: "htpp" is not a valid value'],
    ['help bok', 'did you mean ucctl book?'],
    ['book --sheet', 'unknown flag --sheet'],
    ['book put 7 --text=', '--text: the value is empty\n  try:     specify a value, or omit --text'],
    ['book put ', 'BOOK: the value is empty\n  try:     specify a value\n'],
    ['book list --shelf=', '--shelf: the value is empty\n  try:     specify a value, or omit --shelf'],
    ['book list --shelf ,', '--shelf: the value is empty'],
    ['book list -o xml', '--output: "xml" is not a valid value'],
  ])('%s is rejected with exit 2 before anything runs', async (line, message) => {
    const { exit, stderr, options } = await optionsOf(line.split(' '));
    expect(stderr).toContain(message);
    expect({ exit, options }).toEqual({ exit: 2, options: undefined });
  });

  it.each(['-o json', '-p --help', '-qy', 'book -o json', 'book --json --debug', '--'])(
    '%s without a verb shows the help, because its flags are valid',
    async (line) => {
      expect(await optionsOf(line.split(' '))).toMatchObject({ exit: 0, stderr: '', options: undefined });
    },
  );

  it('reports a bad command line as JSON when it asks for JSON', async () => {
    const { stderr } = await optionsOf(['book', 'lsit', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', exit: 2, retryable: false } });
  });

  it('rejects an unknown format in UCCTL_OUTPUT', async () => {
    const { exit, stderr } = await runUcctl('book list', {
      nouns: nounWith(async () => undefined),
      env: { UCCTL_OUTPUT: 'xml' },
    });
    expect(exit).toBe(2);
    expect(stderr).toContain('UCCTL_OUTPUT: "xml" is not a valid value');
  });
});

it('passes the settings to the command, a flag before the environment', async () => {
  let seen: unknown;
  const nouns = nounWith(async (ctx) => {
    const { baseUrl, profile, timeoutSeconds, language } = ctx.settings;
    seen = [baseUrl.value, baseUrl.origin, profile.value, timeoutSeconds.value, language.value, ctx.dryRun];
  });
  const env = { UCCTL_BASE_URL: 'http://127.0.0.1:1', UCCTL_PROFILE: 'work' };
  const paths = temporaryPaths();
  await runUcctl('profile add work --base-url http://127.0.0.1:1', { paths });
  await runUcctl('--base-url http://127.0.0.1:2 book put 7 --timeout 2m --lang de-DE -n', {
    nouns,
    env,
    paths,
  });
  expect(seen).toEqual(['http://127.0.0.1:2', 'flag', 'work', 120, 'de-DE', true]);
});

it.each(['bash', 'zsh', 'fish', 'powershell'])(
  'completion %s names the command for a shell',
  async (shell) => {
    const { exit, stderr } = await runUcctl(`completion ${shell}`, {});
    expect([exit, stderr]).toEqual([
      2,
      `error: unknown command "completion ${shell}"\n  try:     to print the script: ucctl completion script ${shell}; to install it: ucctl completion install ${shell}\n`,
    ]);
  },
);

it.each(['skill', 'completion script bash'])(
  'prints the text of %s unless a flag sets a format',
  async (argv) => {
    const env = { UCCTL_OUTPUT: 'json' };
    const plain = await runUcctl(argv, {});
    expect(plain.stdout).not.toMatch(/^\{/);
    expect((await runUcctl(argv, { env })).stdout).toBe(plain.stdout);
    expect((await runUcctl(`${argv} -o json`, { env })).stdout).toMatch(/^\{/);
  },
);

it('uses the format of the profile, unless a flag or the environment sets another', async () => {
  const paths = temporaryPaths();
  const run = (argv: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
    runUcctl(argv, { nouns: [exampleNoun()], paths, env }).then((result) => result.stdout);
  await runUcctl('config set output csv', { paths });
  expect(await run('book show')).toMatch(/^id,name/);
  expect(await run('book show', { UCCTL_OUTPUT: 'ndjson' })).toMatch(/^\{"id":1/);
  expect(await run('book show -o yaml', { UCCTL_OUTPUT: 'ndjson' })).toMatch(/^id: 1/);
});
