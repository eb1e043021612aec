import { parseAllDocuments, type Document } from 'yaml';
import type { ChatPost } from '../../contract/chat.ts';
import { chatFieldBytes, chatPostBytes } from '../../contract/limits.ts';
import { messageOf, usageError } from '../../errors/command.ts';
import { isJsonObject } from '../../platform/json.ts';

/** Members of a card whose values are strings (CHAT-10). */
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

const syntaxHint = 'fix the syntax of the post; nothing was posted';

/**
 * Reads a post, or a single card, from JSON or YAML.
 * @throws {CommandError} `usage` if the text is not a post or card.
 */
export function readPost(text: string, source: string): ChatPost {
  const [document, second] = parseAllDocuments(text);
  if (second)
    throw usageError(`${source} has more than one document`, 'put only one post or card in the file');
  const [fault] = document?.errors ?? [];
  if (fault)
    throw usageError(`${source} is not valid JSON or YAML`, syntaxHint, [
      fault.message.split('\n', 1)[0]?.replace(/:$/, '') ?? '',
    ]);
  const value = valueOf(document, source);
  if (!isJsonObject(value))
    throw usageError(
      document ? `${source} is not an object` : `${source} is empty`,
      'specify one post or card as JSON or YAML; nothing was posted',
    );
  return isCard(value) ? { attachments: [{ type: 'Card', ...value }] } : value;
}

function valueOf(document: Document | undefined, source: string): unknown {
  try {
    return document?.toJS();
  } catch (error) {
    // The parser throws for a YAML alias without an anchor, and for too many aliases.
    throw usageError(`${source} is not valid JSON or YAML`, syntaxHint, [messageOf(error)]);
  }
}

/**
 * Whether a document is a single card, which may omit its type. A member that only a post can have makes the document a
 * post.
 */
function isCard(value: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(value);
  if ('type' in value) return true;
  return (
    names.some((name) => !postMembers.has(name) && cardMembers.has(name)) &&
    !['icon', 'body', 'attachments'].some((name) => name in value)
  );
}

/** Problems for which the service would reject a post. Attachments with a type other than Card are not checked. */
export function postProblems(post: ChatPost): readonly string[] {
  const { attachments } = post;
  const unknown = Object.keys(post).filter((name) => !postMembers.has(name));
  const problems = unknown.map(
    (name) => `"${name}" is not a valid member of a post; valid members: ${[...postMembers].join(', ')}`,
  );
  for (const name of ['icon', 'title', 'body'] as const) {
    problems.push(...textProblems(post[name], name, name !== 'body'));
  }
  if (attachments !== undefined && !Array.isArray(attachments))
    return [...problems, 'attachments is not a list'];
  for (const [index, one] of (attachments ?? []).entries()) {
    const place = `attachments[${index}]`;
    if (!isJsonObject(one) || typeof one['type'] !== 'string') problems.push(`${place} has no type`);
    else if (one.type === 'Card') problems.push(...cardProblems(one, place));
  }
  const bytes = Buffer.byteLength(JSON.stringify(attachments ?? []));
  if (bytes > chatPostBytes)
    problems.push(`attachments: ${bytes} bytes exceed the maximum of ${chatPostBytes}`);
  const isEmpty = isBlank(post.title) && isBlank(post.body) && (attachments ?? []).every(isEmptyCard);
  return isEmpty
    ? [...problems, 'the post is empty; use --body, --title or the options of a card']
    : problems;
}

/** Whether an attachment is a card without anything to show. The content of other attachments is not known (CHAT-11). */
function isEmptyCard(attachment: unknown): boolean {
  if (!isJsonObject(attachment) || attachment['type'] !== 'Card') return false;
  const { color: _color, type: _type, ...shown } = attachment;
  return Object.values(shown).every(
    (value) => isBlank(value) || (Array.isArray(value) && value.length === 0),
  );
}

/** Whether a member is missing, or a text without visible characters. */
function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function cardProblems(card: Readonly<Record<string, unknown>>, place: string): readonly string[] {
  const problems = Object.keys(card)
    .filter((name) => !cardMembers.has(name))
    .map((name) => `${place}: "${name}" is not a valid member of a card`);
  for (const name of cardTexts)
    problems.push(...textProblems(card[name], `${place}.${name}`, name !== 'text'));
  const { color, fields, ts } = card;
  if (typeof color === 'string' && !/^#?[0-9a-f]{6}$|^#?[0-9a-f]{3}$/i.test(color)) {
    problems.push(`${place}.color: "${color}" is not a valid hex color such as #2ea043`);
  }
  if (ts !== undefined && !Number.isSafeInteger(ts))
    problems.push(`${place}.ts is not a whole number of seconds since 1970`);
  if (fields !== undefined && !Array.isArray(fields)) return [...problems, `${place}.fields is not a list`];
  return [
    ...problems,
    ...((fields as unknown[] | undefined) ?? []).flatMap((field, index) =>
      fieldProblems(field, `${place}.fields[${index}]`),
    ),
  ];
}

function fieldProblems(field: unknown, place: string): readonly string[] {
  if (!isJsonObject(field)) return [`${place} is not an object`];
  const problems = [
    ...textProblems(field['title'], `${place}.title`, true),
    ...textProblems(field['value'], `${place}.value`, true),
  ];
  for (const name of ['title', 'value'])
    if (field[name] === undefined) problems.push(`${place} has no ${name}`);
  if (field['short'] !== undefined && typeof field['short'] !== 'boolean')
    problems.push(`${place}.short is not true or false`);
  return problems;
}

function textProblems(value: unknown, place: string, isLimited: boolean): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [`${place} is not a string`];
  const bytes = Buffer.byteLength(value);
  return isLimited && bytes > chatFieldBytes
    ? [`${place}: ${bytes} bytes exceed the maximum of ${chatFieldBytes}`]
    : [];
}
