import { parseAllDocuments, type Document } from 'yaml';
import type { ChatPost } from '../../contract/chat.ts';
import { chatFieldBytes, chatPostBytes } from '../../contract/limits.ts';
import { messageOf, usageError } from '../../errors/command.ts';

/** Members of a card that are texts (CHAT-10). */
const cardTexts = [
  'color',
  'pretext',
  'author_name',
  'author_link',
  'author_icon',
  'title',
  'title_link',
  'text',
  'image_url',
  'footer',
  'footer_icon',
] as const;
const cardMembers: ReadonlySet<string> = new Set(['type', 'fields', 'ts', ...cardTexts]);
const postMembers: ReadonlySet<string> = new Set(['icon', 'title', 'body', 'attachments']);

/**
 * Reads a post, or a single card, from JSON or YAML.
 * @throws {CommandError} `usage` with every fault.
 */
export function readPost(text: string, source: string): ChatPost {
  const [document, second] = parseAllDocuments(text);
  if (second) throw usageError(`${source}: more than one document`, 'one post or card a file');
  const [fault] = document?.errors ?? [];
  if (fault)
    throw usageError(`${source}: neither JSON nor YAML`, undefined, [
      fault.message.split('\n', 1)[0]?.replace(/:$/, '') ?? '',
    ]);
  const value = valueOf(document, source);
  if (!isRecord(value)) throw usageError(`${source}: not an object`);
  return isCard(value) ? { attachments: [{ type: 'Card', ...value }] } : value;
}

function valueOf(document: Document | undefined, source: string): unknown {
  try {
    return document?.toJS();
  } catch (error) {
    // Aliases that lead nowhere, or to too much.
    throw usageError(`${source}: neither JSON nor YAML`, undefined, [messageOf(error)]);
  }
}

/** A card by itself may leave out its type; what only a post has makes it a post. */
function isCard(value: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(value);
  if ('type' in value) return true;
  return (
    names.some((name) => !postMembers.has(name) && cardMembers.has(name)) &&
    !['icon', 'body', 'attachments'].some((name) => name in value)
  );
}

/** What keeps the service from taking a post, in words. Attachments of another type than Card pass unchecked. */
export function postProblems(post: ChatPost): readonly string[] {
  const { attachments } = post;
  const stray = Object.keys(post).filter((name) => !postMembers.has(name));
  const problems = stray.map((name) => `"${name}" is no member of a post (${[...postMembers].join(', ')})`);
  for (const name of ['icon', 'title', 'body'] as const) {
    problems.push(...textProblems(post[name], name, name !== 'body'));
  }
  if (attachments !== undefined && !Array.isArray(attachments))
    return [...problems, 'attachments is no list'];
  for (const [index, one] of (attachments ?? []).entries()) {
    const place = `attachments[${index}]`;
    if (!isRecord(one) || typeof one['type'] !== 'string') problems.push(`${place} has no type`);
    else if (one.type === 'Card') problems.push(...cardProblems(one, place));
  }
  const bytes = Buffer.byteLength(JSON.stringify(attachments ?? []));
  if (bytes > chatPostBytes)
    problems.push(`attachments: ${bytes} bytes, at most ${chatPostBytes} are allowed`);
  const isEmpty = post.title === undefined && post.body === undefined && !attachments?.length;
  return isEmpty ? [...problems, 'the post is empty: give --body, --title or a card'] : problems;
}

function cardProblems(card: Readonly<Record<string, unknown>>, place: string): readonly string[] {
  const problems = Object.keys(card)
    .filter((name) => !cardMembers.has(name))
    .map((name) => `${place}: "${name}" is no member of a card`);
  for (const name of cardTexts)
    problems.push(...textProblems(card[name], `${place}.${name}`, name !== 'text'));
  const { color, fields, ts } = card;
  if (typeof color === 'string' && !/^#?[0-9a-f]{6}$|^#?[0-9a-f]{3}$/i.test(color)) {
    problems.push(`${place}.color: "${color}" is no hex colour such as #2ea043`);
  }
  if (ts !== undefined && !Number.isSafeInteger(ts))
    problems.push(`${place}.ts is no whole number of seconds since 1970`);
  if (fields !== undefined && !Array.isArray(fields)) return [...problems, `${place}.fields is no list`];
  return [
    ...problems,
    ...((fields as unknown[] | undefined) ?? []).flatMap((field, index) =>
      fieldProblems(field, `${place}.fields[${index}]`),
    ),
  ];
}

function fieldProblems(field: unknown, place: string): readonly string[] {
  if (!isRecord(field)) return [`${place} is no object`];
  const problems = [
    ...textProblems(field['title'], `${place}.title`, true),
    ...textProblems(field['value'], `${place}.value`, true),
  ];
  for (const name of ['title', 'value'])
    if (field[name] === undefined) problems.push(`${place} has no ${name}`);
  if (field['short'] !== undefined && typeof field['short'] !== 'boolean')
    problems.push(`${place}.short is neither true nor false`);
  return problems;
}

function textProblems(value: unknown, place: string, isLimited: boolean): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [`${place} is no text`];
  const bytes = Buffer.byteLength(value);
  return isLimited && bytes > chatFieldBytes
    ? [`${place}: ${bytes} bytes, at most ${chatFieldBytes} are allowed`]
    : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
