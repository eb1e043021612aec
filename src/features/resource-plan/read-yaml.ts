import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { suggest } from '../../platform/suggest.ts';
import { isNullScalar, scalarText, YamlList } from '../../platform/yaml-list.ts';
import type { ListProblem, Place } from '../bulk/index.ts';
import type { Value, Values } from './change.ts';

/** A setting that a file may name. Every scalar is read as text first, which preserves leading zeros and long IDs. */
export interface SettingSpec {
  /** Name; `serviceLevel.goal` is `goal` in the mapping `serviceLevel`. */
  readonly name: string;
  readonly type: 'text' | 'integer' | 'boolean';
  /** The permitted values; any value of the type by default. */
  readonly values?: readonly (string | number)[];
  readonly min?: number;
  readonly max?: number;
  /** Maximum length of a text. */
  readonly maxLength?: number;
  /** The form of a text, and its description for people. */
  readonly pattern?: RegExp;
  readonly expected?: string;
  /** Whether the service can remove the value; `null` in a file then removes it. */
  readonly removable?: true;
}

/** A resource that a YAML file describes. */
export interface FileResource {
  /** The name by which the file refers to the resource. */
  readonly name: string;
  readonly values: Values;
  /** The lines of the settings, by their names. */
  readonly lines: Readonly<Record<string, number>>;
  /** The flags that are set, such as `create`. */
  readonly flags: ReadonlySet<string>;
  readonly place: Place;
}

/** The file's resources, and its problems. */
export interface FileResources {
  readonly resources: readonly FileResource[];
  readonly problems: readonly ListProblem[];
}

/** The form of a file. */
export interface FileForm {
  /** Key of the list, such as `queues`. */
  readonly list: string;
  /** Key of the name in an item, such as `queue`. */
  readonly item: string;
  readonly settings: readonly SettingSpec[];
  /** Key of the mapping that contains the settings; absent if the item itself contains the settings. */
  readonly settingsKey?: string;
  /** Keys of an item whose value is true or false, such as `create`. */
  readonly flags?: readonly string[];
  /** Keys of an item that other code reads. With `settingsKey`, other code reads all other keys. */
  readonly otherKeys?: readonly string[];
}

/** Reads the settings of a YAML file. Finds all problems, each with its line and column. */
export function readResourceFile(text: string, file: string, form: FileForm): FileResources {
  const reader = new FileReader(new YamlList(text, file, 'failsafe'), form);
  reader.read();
  return reader.result();
}

/** The settings of an item that have been read so far. */
interface Found {
  readonly values: Record<string, Value>;
  readonly lines: Record<string, number>;
}

class FileReader {
  readonly #list: YamlList;
  readonly #form: FileForm;
  readonly #specs: ReadonlyMap<string, SettingSpec>;
  readonly #resources: FileResource[] = [];

  constructor(list: YamlList, form: FileForm) {
    this.#list = list;
    this.#form = form;
    this.#specs = new Map(form.settings.map((spec) => [spec.name, spec]));
  }

  result(): FileResources {
    return { resources: this.#resources, problems: this.#list.problems };
  }

  read(): void {
    const { contents, hasProblems } = this.#list;
    if (hasProblems) return;
    const { list, item, settingsKey } = this.#form;
    const items = isMap(contents) ? contents.get(list, true) : undefined;
    if (isMap(items)) {
      // A mapping of names to lists has no settings. Other code reads it.
      if (settingsKey !== undefined) return;
      return this.#list.problem(
        items,
        `"${list}:" must be a list with an entry "- ${item}: NAME" for each ${item}`,
      );
    }
    if (!isSeq(items)) return this.#list.problem(undefined, `the list "${list}:" is missing`);
    for (const item of items.items) this.#item(item);
  }

  #item(item: unknown): void {
    const { item: key, otherKeys = [], settingsKey, flags: flagNames = [] } = this.#form;
    if (!isMap(item)) {
      // With `settingsKey`, other code reads and checks the whole item.
      if (settingsKey === undefined)
        this.#list.problem(item, `expected "- ${key}: NAME" with its settings below it`);
      return;
    }
    const nameNode = item.get(key, true);
    const name = scalarText(nameNode);
    if (name === undefined || name === '') return this.#list.problem(item, `"${key}:" is missing`);
    const found: Found = { values: {}, lines: {} };
    const settings = settingsKey === undefined ? item : item.get(settingsKey, true);
    const others = settingsKey === undefined ? [key, ...otherKeys, ...flagNames] : [];
    if (isMap(settings)) this.#settings(settings, '', new Set(others), found);
    else if (settings !== undefined) this.#list.problem(settings, `"${settingsKey}:" must be a mapping`);
    const flags = new Set(flagNames.filter((flag) => this.#isSet(flag, item.get(flag, true))));
    this.#resources.push({ name, ...found, flags, place: this.#list.placeOf(nameNode) });
  }

  #isSet(name: string, node: unknown): boolean {
    if (node === undefined) return false;
    const value = booleans.get(scalarText(node)?.toLowerCase() ?? '');
    if (value === undefined) this.#list.problem(node, `"${name}" must be true or false`);
    return value ?? false;
  }

  #settings(map: YAMLMap, prefix: string, others: ReadonlySet<string>, found: Found): void {
    for (const { key, value } of map.items) {
      const word = scalarText(key) ?? '';
      if (prefix === '' && others.has(word)) continue;
      const name = `${prefix}${word}`;
      const spec = this.#specs.get(name);
      if (spec) this.#setting(spec, value, found);
      else if (isMap(value) && this.#hasPrefix(`${name}.`)) {
        this.#settings(value, `${name}.`, others, found);
      } else this.#unknown(key, name, others);
    }
  }

  #hasPrefix(prefix: string): boolean {
    return this.#form.settings.some(({ name }) => name.startsWith(prefix));
  }

  #unknown(key: unknown, name: string, others: ReadonlySet<string>): void {
    const [near] = suggest(name, [...this.#specs.keys(), ...others]);
    this.#list.problem(
      key,
      `unknown setting "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    );
  }

  #setting(spec: SettingSpec, node: unknown, { values, lines }: Found): void {
    lines[spec.name] = this.#list.placeOf(node).line;
    const text = settingText(spec, node);
    // An empty setting in a file means that the setting does not change.
    if (node === null || text === '') return;
    if (isNullScalar(node)) {
      if (spec.removable) values[spec.name] = null;
      else this.#list.problem(node, notRemovable(spec.name));
      return;
    }
    const value = text === undefined ? undefined : readValue(spec, text);
    if (value === undefined) this.#list.problem(node, `"${spec.name}" must be ${expectedText(spec)}`);
    else values[spec.name] = value;
  }
}

/** Describes a `null` for a setting whose value the service cannot remove. */
export function notRemovable(name: string): string {
  return `"${name}" cannot be removed, because no request of the service removes it; to leave it unchanged, omit it`;
}

/** The form of an extension number. */
export const extensionNumberForm = {
  pattern: /^(?!0+$)\d{1,8}$/,
  expected: 'an extension number of 1 to 8 digits',
} as const;

/** Reads a value of a setting from its text; undefined if the text is not a permitted value. */
export function readValue(spec: SettingSpec, text: string): Value | undefined {
  const value = typed(spec.type, text);
  if (value === undefined) return undefined;
  const { values, min = -Infinity, max = Infinity, maxLength = Infinity, pattern } = spec;
  if (pattern !== undefined && !pattern.test(text)) return undefined;
  if (values !== undefined && !values.includes(value as string | number)) return undefined;
  if (typeof value === 'number' && (value < min || value > max)) return undefined;
  return typeof value === 'string' && value.length > maxLength ? undefined : value;
}

function typed(type: SettingSpec['type'], text: string): string | number | boolean | undefined {
  switch (type) {
    case 'integer':
      return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return booleans.get(text.toLowerCase());
    case 'text':
    default:
      return text;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

/** Describes the permitted values of a setting, for people. */
export function expectedText({ type, values, min, max, maxLength, expected: form }: SettingSpec): string {
  if (form !== undefined) return form;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'text') return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  return min === undefined ? 'a number' : `a number of at least ${min}`;
}

/** Returns the settings that a file can contain. Values of the service that no file may set are omitted. */
export function fileValues(specs: readonly SettingSpec[], values: Values): Values {
  return Object.fromEntries(
    specs.map((spec) => {
      const value = values[spec.name] ?? null;
      const isReadable =
        value !== null && typeof value !== 'object' && readValue(spec, String(value)) !== undefined;
      return [spec.name, isReadable ? value : null];
    }),
  );
}

/** Returns settings as nested mappings, in the form of a file. Absent settings are omitted. */
export function nestValues(values: Values): Readonly<Record<string, Value>> {
  const nested: Record<string, Value> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const [first = '', second] = name.split('.');
    if (second === undefined) nested[first] = value;
    else nested[first] = { ...(nested[first] as Readonly<Record<string, Value>>), [second]: value };
  }
  return nested;
}

/** Returns the text of a setting. A free text keeps the spaces that the file writes, because the service may have them. */
function settingText(spec: SettingSpec, node: unknown): string | undefined {
  const isFree = spec.type === 'text' && spec.pattern === undefined && spec.values === undefined;
  return isFree && isScalar(node) && typeof node.value === 'string' ? node.value : scalarText(node);
}
