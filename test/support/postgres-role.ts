import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { connectStore } from '../../src/store/index.ts';

/** Creates a role with defaults for its connections. It is removed after the test. */
export async function roleWith(url: string, defaults: Readonly<Record<string, string>>): Promise<string> {
  const role = `r_${randomBytes(6).toString('hex')}`;
  const db = connectStore({ url, source: 'the test', env: {} });
  onTestFinished(async () => {
    await db.script(`drop role "${role}"`);
    await db.close();
  });
  await db.script(`create role "${role}" superuser login`);
  for (const [name, value] of Object.entries(defaults))
    await db.script(`alter role "${role}" set ${name} = '${value}'`);
  return role;
}
