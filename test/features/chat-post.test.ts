import { describe, expect, it } from 'vitest';
import { chatFieldBytes, chatPostBytes } from '../../src/contract/limits.ts';
import { postProblems, readPost } from '../../src/features/chat-post/index.ts';

const card = (members: object) => ({ attachments: [{ type: 'Card', ...members }] });
const long = 'x'.repeat(chatFieldBytes);
/** A post whose attachments have a number of bytes as JSON. */
const sized = (bytes: number) => {
  const empty = Buffer.byteLength(JSON.stringify(card({ text: '' }).attachments));
  return card({ text: 'x'.repeat(bytes - empty) });
};

describe('spec:CHAT-10 a post', () => {
  it.each([
    ['a title of the maximum length', { title: long }],
    ['a long body', { body: `${long}x` }],
    ['a card with a long text', card({ text: `${long}x` })],
    ['a card with a time and a field', card({ ts: 1, fields: [{ title: 'a', value: 'b', short: true }] })],
    ['an attachment of another type', { attachments: [{ type: 'Other', fields: 5 }] }],
    ['attachments of the maximum size', sized(chatPostBytes)],
  ])('can have %s', (_name, post) => {
    expect(postProblems(post)).toEqual([]);
  });

  it.each([
    ['nothing', {}, 'the post is empty'],
    ['an empty list of attachments', { attachments: [] }, 'the post is empty'],
    ['a title that is too long', { title: `${long}x` }, 'title: '],
    ['a card with a title that is too long', card({ title: `${long}x` }), 'attachments[0].title: '],
    ['a card with a time that is not a number', card({ ts: '1' }), 'attachments[0].ts is not a whole number'],
    ['a card with fields that are not a list', card({ fields: {} }), 'attachments[0].fields is not a list'],
    [
      'a field with another short',
      card({ fields: [{ title: 'a', value: 'b', short: 'yes' }] }),
      'attachments[0].fields[0].short is not true or false',
    ],
    ['attachments that are too large', sized(chatPostBytes + 1), 'attachments: '],
  ])('cannot have %s', (_name, post, problem) => {
    const problems = postProblems(post);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['a: *none', 'title: [\n'])('that is %j is not valid', (text) => {
    expect(() => readPost(text, 'post.yaml')).toThrow('post.yaml is not valid JSON or YAML');
  });

  it.each(['', '\n', '# a comment\n'])('cannot be read from the empty text %j', (text) => {
    expect(() => readPost(text, 'post.yaml')).toThrow('post.yaml is empty');
  });

  it.each(['null', '~', '[]', 'text', '7'])('cannot be read from %j, which is not an object', (text) => {
    expect(() => readPost(text, 'post.yaml')).toThrow('post.yaml is not an object');
  });

  it('with a member of a card and a body is not a card', () => {
    const post = { title: 'a', text: 'b', body: 'c' };
    expect(readPost(JSON.stringify(post), 'post.json')).toEqual(post);
    const { body: _, ...single } = post;
    expect(readPost(JSON.stringify(single), 'post.json')).toEqual(card(single));
  });
});
