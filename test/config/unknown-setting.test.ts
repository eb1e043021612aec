import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';

const all = 'ucctl config list shows all';

it.each([
  ['set timout 60', 'timout', `did you mean timeout? ${all}`],
  ['get base_url', 'base_url', `did you mean base-url? ${all}`],
  ['unset baseUrl', 'baseUrl', `did you mean base-url? ${all}`],
  ['set allow-prefix +1', 'allow-prefix', `did you mean allow-prefixes? ${all}`],
  ['set WRONGNAME value', 'WRONGNAME', all],
])('config %s: a name that is none is answered with the nearest ones', async (words, typed, hint) => {
  const { exit, stdout, stderr } = await runUcctl(`config ${words}`);
  expect({ exit, stdout, stderr }).toEqual({
    exit: 2,
    stdout: '',
    stderr: `error: there is no setting "${typed}"\n  try:     ${hint}\n`,
  });
});
