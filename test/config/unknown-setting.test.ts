import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';

const all = 'to list all settings: ucctl config list';

it.each([
  ['set timout 60', 'timout', `did you mean timeout? ${all}`],
  ['get base_url', 'base_url', `did you mean base-url? ${all}`],
  ['unset baseUrl', 'baseUrl', `did you mean base-url? ${all}`],
  ['set allow-prefix +1', 'allow-prefix', `did you mean allow-prefixes? ${all}`],
  ['set WRONGNAME value', 'WRONGNAME', all],
])('config %s: an unknown name is answered with the nearest ones', async (words, typed, hint) => {
  const { exit, stdout, stderr } = await runUcctl(`config ${words}`);
  expect({ exit, stdout, stderr }).toEqual({
    exit: 2,
    stdout: '',
    stderr: `error: setting "${typed}" not found\n  try:     ${hint}\n`,
  });
});
