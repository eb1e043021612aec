import { isMap, isSeq, type YAMLMap } from 'yaml';
import { suggest } from '../../platform/suggest.ts';
import { isNullScalar, scalarText, YamlList } from '../../platform/yaml-list.ts';
import {
  rowsOf,
  type AssignmentRequest,
  type ReadResult,
  type DesiredQueue,
  type QueueLabel,
} from './request.ts';

/**
 * Reads a desired state: `queues:` with a list of `{queue, agents}`, or with queue names as keys and lists of agents as
 * values. Every scalar is read as text, which preserves leading zeros of extension numbers and all digits of IDs. Finds
 * all problems of the file, not only the first.
 */
export function readDesiredState(text: string, file: string): ReadResult {
  const reader = new Reader(new YamlList(text, file, 'failsafe'));
  reader.read();
  return reader.result();
}

/** Keys that an item of `queues:` can contain, and those that show that the file has settings of queues. */
const queueKeys = ['queue', 'name', 'agents', 'settings', 'create'];
const settingsKeys = ['settings', 'create'];
/** Keys that an item of `agents:` can contain. */
const agentKeys = ['agent', 'name'];

class Reader {
  readonly #list: YamlList;
  readonly #requests: AssignmentRequest[] = [];
  readonly #desired: DesiredQueue[] = [];
  readonly #labels: QueueLabel[] = [];
  #hasSettings = false;

  constructor(list: YamlList) {
    this.#list = list;
  }

  result(): ReadResult {
    const result = rowsOf(this.#requests, this.#desired);
    const own = { ...result, hasSettings: this.#hasSettings, labels: this.#labels };
    return this.#list.hasProblems ? { ...own, problems: this.#list.problems } : own;
  }

  read(): void {
    const { contents, hasProblems } = this.#list;
    if (hasProblems) return;
    const queues = isMap(contents) ? contents.get('queues', true) : undefined;
    if (isSeq(queues)) {
      for (const item of queues.items) this.#queueItem(item);
    } else if (isMap(queues)) {
      for (const { key, value } of queues.items) this.#queue(key, value);
    } else {
      this.#list.problem(undefined, 'the list "queues:" is missing');
      return;
    }
    if (this.#desired.length === 0 && !this.#list.hasProblems && !this.#hasSettings)
      this.#list.problem(undefined, 'the list of queues is empty');
  }

  #queueItem(item: unknown): void {
    if (!isMap(item)) {
      this.#list.problem(item, 'expected "- queue: NAME" with "agents:" below it');
      return;
    }
    this.#checkKeys(item, queueKeys);
    if (settingsKeys.some((key) => item.has(key))) this.#hasSettings = true;
    this.#label(item);
    const agents = item.get('agents', true);
    const queue = item.get('queue', true);
    if (queue === undefined) this.#list.problem(item, '"queue:" is missing');
    // An item that contains only settings leaves the agents of the queue unchanged.
    else if (agents === undefined && item.has('settings')) return;
    else if (agents === undefined)
      this.#list.problem(item, '"agents:" is missing; for a queue without agents, write agents: []');
    else this.#queue(queue, agents);
  }

  #label(item: YAMLMap): void {
    const node = item.get('name', true);
    const [queue, label] = [scalarText(item.get('queue', true)), scalarText(node)];
    if (queue === undefined || label === undefined || label === '') return;
    const settings = item.get('settings', true);
    const newName = isMap(settings) ? scalarText(settings.get('name', true)) : undefined;
    this.#labels.push({ queue, label, newName, place: this.#list.placeOf(node) });
  }

  #queue(key: unknown, agents: unknown): void {
    const queue = scalarText(key);
    if (queue === undefined || queue === '') {
      this.#list.problem(key, 'the queue name is empty');
      return;
    }
    const queuePlace = this.#list.placeOf(key);
    this.#desired.push({ queue, place: queuePlace, isWhole: true });
    if (!isSeq(agents)) {
      // A missing value, for example of an unset variable of a template, must not remove all agents.
      const isEmpty = agents === null || isNullScalar(agents) || scalarText(agents) === '';
      const text = isEmpty
        ? `the agents of "${queue}" are missing; for a queue without agents, write []`
        : '"agents:" must be a list';
      this.#list.problem(isEmpty ? key : agents, text);
      return;
    }
    for (const item of agents.items) {
      if (isMap(item)) this.#checkKeys(item, agentKeys);
      const agent = scalarText(isMap(item) ? item.get('agent', true) : item);
      if (agent === undefined || agent === '')
        this.#list.problem(item, 'an agent must be a name or "- agent: NAME"');
      else this.#requests.push({ queue, agent, action: 'add', place: this.#list.placeOf(item), queuePlace });
    }
  }

  /** Reports keys that no code reads, because their values would be ignored. */
  #checkKeys(item: YAMLMap, known: readonly string[]): void {
    for (const { key } of item.items) {
      const word = scalarText(key) ?? '';
      if (known.includes(word)) continue;
      const [near] = suggest(word, known);
      const question = near === undefined ? '' : `did you mean "${near}"? `;
      const nested = known === queueKeys ? '; settings such as alertTimer belong below "settings:"' : '';
      const advice = `${question}known keys: ${known.join(', ')}${nested}`;
      this.#list.problem(key, `unknown key "${word}"; ${advice}`);
    }
  }
}
