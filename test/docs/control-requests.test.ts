import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { controlRoutes } from '../../src/sandbox/control/routes.ts';

/** A request in the table of docs/sandbox.md: `METHOD /path`, and its JSON body if the table gives one. */
const documented = /`(GET|POST|PATCH|DELETE) (\/[^`?]*)(?:\?[^`]*)?`(?: with `(\{[^`]*\})`)?/g;

const section = /\n## Control the sandbox from a test in any language\n([^]*?)\n## /.exec(
  readFileSync('docs/sandbox.md', 'utf8'),
)?.[1];
const requests = [...(section ?? '').matchAll(documented)].map(([, method, path, body]) => ({
  method,
  path: path ?? '',
  body,
}));

test('docs/sandbox.md lists requests of the control API', () => {
  expect(requests.length).toBeGreaterThan(15);
});

test.each(requests)('$method $path is a request of the control API and accepts $body', (request) => {
  const found = controlRoutes.find(
    ({ method, path }) => method === request.method && pattern(path).test(request.path),
  );
  expect(found).toBeDefined();
  if (request.body === undefined) return;
  expect(found?.input?.safeParse(JSON.parse(request.body))).toMatchObject({ success: true });
});

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
