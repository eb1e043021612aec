import { counted } from '../../platform/counted.ts';
import { isJsonObject } from '../../platform/json.ts';
import { lookupTable } from '../../platform/lookup-table.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { NestedResult } from '../../runtime/nested-run.ts';
import type { ToolCall } from './tool-words.ts';

/** Limits of a question: a user reads it in a dialog. */
const limits = { messages: 10, receivers: 10, textUnits: 2000, lines: 40, lineUnits: 200 };

const effects: Readonly<Record<string, string>> = lookupTable({
  sends: 'The command sends messages, which may cost money.',
  rings: 'The command makes phones ring.',
  deletes: 'The command deletes data.',
});

/** The part of a message that the question shows. */
interface Message {
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly text: string | undefined;
  readonly files: readonly string[];
}

/**
 * Returns the question whether to run a command, with what its preview would send. Texts of the agent and of the
 * service must not look like lines of ucctl, or hide or reorder text.
 */
export function questionOf({ spec, words }: ToolCall, preview: NestedResult): string {
  const requests = requestsIn(preview.result);
  const messages = messagesIn(requests);
  return [
    `Run this command? ${safe(`ucctl ${shellLine(words)}`)}`,
    effects[spec.effect ?? ''],
    requestLine(requests),
    ...(messages ? messageLines(messages) : planLines(preview.notes)),
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}

function requestsIn(preview: unknown): readonly Request[] {
  return (Array.isArray(preview) ? preview : [preview]).filter(isRequest);
}

function isRequest(value: unknown): value is Request {
  return isJsonObject(value) && 'method' in value && 'url' in value;
}

/** Returns the requests of a dry run in one line, e.g. `Requests: 2 (POST …/sms)`. */
function requestLine(requests: readonly Request[]): string | undefined {
  if (requests.length === 0) return undefined;
  const distinct = [...new Set(requests.map(({ method, url }) => `${method} ${url}`))];
  const shown = distinct.slice(0, 3).join(', ');
  return safe(`Requests: ${requests.length} (${shown}${distinct.length > 3 ? ', …' : ''})`);
}

/** Returns the messages or calls in requests; undefined if a request has no recipients. */
function messagesIn(requests: readonly Request[]): readonly Message[] | undefined {
  const messages = requests.flatMap(({ body }) => messagesOf(body));
  return messages.length > 0 && messages.every(({ to }) => to.length > 0) ? messages : undefined;
}

function messagesOf(body: unknown): readonly Message[] {
  const members = isJsonObject(body) ? body : {};
  const batch = Array.isArray(members['messages']) ? members['messages'].filter(isJsonObject) : [members];
  return batch.map((message) => {
    const { from, to, text, coverPageText, attachments } = { ...members, ...message };
    return {
      from: partiesOf(from)[0],
      to: partiesOf(to),
      text: [text, coverPageText].find((value) => typeof value === 'string'),
      files: listOf(attachments).flatMap((file) => (isJsonObject(file) ? [String(file['fileName'])] : [])),
    };
  });
}

/** Returns the numbers, extension numbers or IDs of one or several parties. */
function partiesOf(value: unknown): readonly string[] {
  return listOf(value).map((party) => {
    const members = isJsonObject(party) ? party : { phoneNumber: party };
    const known = [members['phoneNumber'], members['extensionNumber'], members['extensionId']];
    return String(
      known.find((name) => typeof name === 'string' || typeof name === 'number') ?? 'unknown recipient',
    );
  });
}

function listOf(value: unknown): readonly unknown[] {
  return [value ?? []].flat();
}

function messageLines(messages: readonly Message[]): readonly string[] {
  const shown = messages.slice(0, limits.messages);
  const textUnits = Math.floor(limits.textUnits / shown.length);
  return [...shown.map((message) => messageLine(message, textUnits)), ...moreOf(messages, shown, 'message')];
}

/** Returns a message in one line, e.g. `| from +16505550110 to +16505550112: Hello`. */
function messageLine({ from, to, text, files }: Message, textUnits: number): string {
  const receivers = to.slice(0, limits.receivers);
  const more = to.length > receivers.length ? ` and ${to.length - receivers.length} more` : '';
  return safe(
    [
      `| ${from === undefined ? '' : `from ${from} `}to ${receivers.join(', ')}${more}`,
      ...(text === undefined ? [] : [`: ${shortened(text, textUnits)}`]),
      ...(files.length === 0 ? [] : [` (files: ${shortened(files.join(', '), limits.lineUnits)})`]),
    ].join(''),
  );
}

/** Returns the plan that the command shows before it asks. */
function planLines(notes: readonly string[]): readonly string[] {
  const shown = notes.slice(0, limits.lines);
  return [
    ...shown.map((line) => safe(`| ${shortened(line, limits.lineUnits)}`)),
    ...moreOf(notes, shown, 'line'),
  ];
}

function moreOf(all: readonly unknown[], shown: readonly unknown[], word: string): readonly string[] {
  return all.length > shown.length ? [`and ${counted(all.length - shown.length, `more ${word}`)}`] : [];
}

function shortened(text: string, units: number): string {
  return text.length > units ? `${text.slice(0, units)}…` : text;
}
