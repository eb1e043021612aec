import { describe, expect, it } from 'vitest';
import { callLogList } from '../../src/commands/calllog/list.command.ts';
import { pathCheck } from '../../src/runtime/field-path.ts';
import {
  anything,
  array,
  list,
  mapOf,
  nullable,
  object,
  record,
  resource,
  type Schema,
  text,
} from '../../src/runtime/output-schema.ts';

describe('a path into the records of an output', () => {
  const check = pathCheck(
    list(
      object({
        name: text,
        site: nullable(object({ city: text })),
        tags: array(object({ word: text })),
        counts: mapOf(text),
        body: anything,
        a: object({ d: text }),
        'a.b': object({ c: text }),
        open: { type: 'object', properties: { word: text }, additionalProperties: true } as Schema,
        values: { type: 'array' } as Schema,
        call: nullable(resource('CallLogRecord', { note: text })),
      }),
    ),
  );

  it.each([
    'name',
    'site.city',
    'tags.0',
    'tags.0.word',
    'counts.ok',
    'body.x.0.y',
    'a.b.c',
    'a.b',
    'a.d',
    'open.other.x',
    'values.0.x',
    'call.note',
    'call.newMember.x',
    'call.from.newMember',
  ])('%s may exist', (path) => expect(check(path)).toBeUndefined());

  it.each([
    ['site.cty', 'did you mean site.city?'],
    ['site.zip', 'fields: site.city'],
    ['tags.word', 'did you mean tags.0.word?'],
    ['tags.0.wrod', 'did you mean tags.0.word?'],
    ['tags.1st', 'fields: tags.0.word'],
    ['a.b.zip', 'fields: a.b.c'],
    ['name.first', 'name has no fields of its own'],
    ['site.city.zip', 'site.city has no fields of its own'],
    ['name.first.x', 'name has no fields of its own'],
  ])('%s cannot exist: %s', (path, hint) => {
    expect(check(path)).toMatchObject({ code: 'usage', message: `unknown field "${path}"`, hint });
  });

  it('is checked only if it has several members', () => {
    expect(check('zip')).toBeUndefined();
  });

  it('may have more members in a single record of the service', () => {
    expect(pathCheck(record(resource('CallLogRecord')))('newMember.x')).toBeUndefined();
  });

  it('is checked against the resources of the service', () => {
    const calls = pathCheck(callLogList.output ?? list(anything));
    expect(calls('from.phoneNumber')).toBeUndefined();
    expect(calls('legs.0.from.name')).toBeUndefined();
    expect(calls('from.phonenumber')).toMatchObject({ hint: 'did you mean from.phoneNumber?' });
    expect(calls('legs.0.from.nmae')).toMatchObject({ hint: 'did you mean legs.0.from.name?' });
  });

  it.each([
    'from.device.id',
    'to.dialedPhoneNumber',
    'legs.0.durationMs',
    'from.uri',
    'legs.0.newMember',
    'newMember.x',
    'idx.x',
  ])('%s may exist, because the service may send more members', (path) =>
    expect(pathCheck(callLogList.output ?? list(anything))(path)).toBeUndefined(),
  );

  it.each(['legs.from', 'from.name.first', 'from.nmae', 'legs.0.From', 'legs.0.FROM'])(
    '%s cannot exist in a resource',
    (path) => expect(pathCheck(callLogList.output ?? list(anything))(path)).toMatchObject({ code: 'usage' }),
  );
});
