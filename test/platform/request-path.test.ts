import { describe, expect, it } from 'vitest';
import { comparablePath, normalPath } from '../../src/platform/request-path.ts';

describe('comparablePath', () => {
  const compared = '/restapi/v1.0/account/~/extension/101/sms';

  it.each([
    compared,
    `${compared}/`,
    '/RESTAPI/v1.0/Account/~/extension/101/SMS',
    '//restapi//v1.0/account/~/extension/101/sms//',
    String.raw`\restapi\v1.0\account\~\extension\101\sms`,
    '/restapi/v1.0/account;x=1/~/extension/101/sms;y',
    '/restapi/v1.0/account/%7E/extension/101/s%6Ds',
    '/restapi/v1.0/account/%257e/extension/101/%25%37%33ms',
    ' /restapi/v1.0/account/~/ extension/101/sms\t',
  ])('is the same text for %j', (path) => {
    expect(comparablePath(path)).toBe(compared);
  });

  it.each(['/a/sms/b', '/a/sms-b', '/a', '/'])('differs for %j', (path) => {
    expect(comparablePath(path)).not.toBe(comparablePath('/a/sms'));
  });
});

describe('normalPath', () => {
  it.each([
    ['/a/~/b', '/a/~/b'],
    ['/a/%7e/%2fb', '/a/~/%2Fb'],
    ['/a/./b/../c?d=%41', '/a/c?d=%41'],
    [String.raw`/a\b`, '/a/b'],
  ])('sends %j as %j', (path, sent) => {
    expect(normalPath(path)).toBe(sent);
  });
});
