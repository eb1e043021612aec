import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { AnsweringRule } from '../../contract/answering-rule.ts';
import { suggest } from '../../platform/suggest.ts';
import { YamlList } from '../../platform/yaml-list.ts';
import { type Lookup, missText } from '../../runtime/lookup.ts';
import type { ListContent } from '../bulk/index.ts';
import {
  isSameValue,
  notRemovable,
  type DesiredResource,
  type ResourceFile,
  type Value,
  type Values,
  yamlText,
} from '../resource-plan/index.ts';
import { problemsOfSetting } from './check-values.ts';
import { newRuleKey, ruleKey, ruleTitle, type Rules } from './kind.ts';
import { readNumbers } from './numbers.ts';
import {
  canRemove,
  closingDays,
  plainWeek,
  ruleMemberNames,
  ruleMembers,
  valuesOf,
  type RuleMember,
} from './values.ts';

/** Members whose values are texts, even if they look like numbers. */
const textMembers = new Set([
  'id',
  'callerId',
  'phoneNumber',
  'extensionNumber',
  'extensionId',
  'name',
  'from',
  'to',
]);
const ownKeys = ['extension', 'rule'];

/** Finds extensions by ID, number, e-mail address or name. */
interface NameLookup {
  extension(text: string): Promise<Lookup>;
}

/** The extensions and rules that a file of rules can refer to. */
export interface RuleNames {
  readonly directory: NameLookup;
  readonly rules: Pick<Rules, 'of'>;
  /** Whether IDs of rules that the account does not have are accepted, as for a comparison. */
  readonly acceptUnknown?: boolean;
}

/** Reads a YAML file of answering rules, and looks up extensions and rules. Finds all problems of the file. */
export async function readRulesFile(
  content: ListContent,
  file: string,
  names: RuleNames,
): Promise<ResourceFile> {
  const text = yamlText(content, file, 'rule');
  if (typeof text !== 'string') return { desired: [], problems: [text] };
  const reader = new RulesReader(new YamlList(text, file, 'core'), names);
  await reader.read();
  return reader.result();
}

class RulesReader {
  readonly #list: YamlList;
  readonly #names: RuleNames;
  readonly #desired = new Map<string, DesiredResource>();

  constructor(list: YamlList, names: RuleNames) {
    this.#list = list;
    this.#names = names;
  }

  result(): ResourceFile {
    return { desired: [...this.#desired.values()], problems: this.#list.problems };
  }

  async read(): Promise<void> {
    const { contents, hasProblems } = this.#list;
    if (hasProblems) return;
    const items = isMap(contents) ? contents.get('rules', true) : undefined;
    if (!isSeq(items)) return this.#list.problem(undefined, 'the list "rules:" is missing');
    for (const item of items.items) {
      if (isMap(item)) await this.#item(item);
      else this.#list.problem(item, 'each rule must be a mapping');
    }
  }

  async #item(item: YAMLMap): Promise<void> {
    const values = this.#values(item);
    const extensionName = textOf(item.get('extension', true));
    if (extensionName === undefined) return this.#list.problem(item, '"extension:" is missing');
    const lookup = await this.#names.directory.extension(extensionName);
    if (!lookup.found) {
      return this.#list.problem(
        item.get('extension', true),
        missText(lookup),
        lookup.details.map((line) => `  ${line}`),
      );
    }
    const extensionId = String(lookup.found.id);
    const { name } = values;
    const own = typeof name === 'string' ? name : (textOf(item.get('rule', true)) ?? 'rule');
    const title = ruleTitle(own, lookup.found);
    const key = await this.#keyOf(item, extensionId, values);
    if (key === undefined) return;
    if (this.#desired.has(key)) return this.#list.problem(item, `rule ${title} is listed twice`);
    const rule = await this.#present(extensionId, key);
    const present = rule ? valuesOf(rule) : {};
    this.#check(item, values, present);
    const numbers = await readNumbers(values, present);
    if (!this.#names.acceptUnknown)
      for (const [setting, text] of numbers.problems) this.#list.problem(item.get(setting, true), text);
    const settings = plainWeek(numbers.values);
    const schedule = closingDays(settings['schedule'], present['schedule']);
    // A rule without "rule:" is created and enabled, also if an undo has disabled it since.
    const isFoundByName = !item.has('rule') && key !== newRuleKey(extensionId, own);
    const wanted = { ...(isFoundByName && { enabled: true }), ...settings, ...(schedule && { schedule }) };
    this.#desired.set(key, { id: rule?.id ?? null, key, title, values: wanted });
  }

  /** Returns the rule that an item describes; undefined for a new rule. */
  async #present(extensionId: string, key: string): Promise<AnsweringRule | undefined> {
    const rules = await this.#names.rules.of(extensionId);
    return rules.find(({ id }) => ruleKey(extensionId, id) === key);
  }

  /** Reports values that the service would reject. Values that a rule already has are accepted. */
  #check(item: YAMLMap, values: Values, present: Values): void {
    if (this.#names.acceptUnknown) return;
    const settings = plainWeek(values);
    for (const [name, value] of Object.entries(values)) {
      if (isSameValue(settings[name], present[name])) continue;
      for (const { text, path } of problemsOfSetting(name, value))
        this.#list.problem(nodeAt(item, [name, ...path]), text);
    }
  }

  /** Returns the key of a rule: by its ID, or by its name, which may be new. */
  async #keyOf(
    item: YAMLMap,
    extensionId: string,
    { name }: Readonly<Record<string, Value>>,
  ): Promise<string | undefined> {
    const present = await this.#names.rules.of(extensionId);
    const id = textOf(item.get('rule', true));
    if (id !== undefined) {
      if (this.#names.acceptUnknown || present.some((rule) => rule.id === id))
        return ruleKey(extensionId, id);
      this.#list.problem(item.get('rule', true), `rule "${id}" not found; omit "rule:" to create a rule`);
      return undefined;
    }
    if (typeof name !== 'string' || name === '') {
      this.#list.problem(item, 'a rule needs "rule:" with its ID, or "name:"');
      return undefined;
    }
    const known = present.find((rule) => rule.name === name);
    return known ? ruleKey(extensionId, known.id) : newRuleKey(extensionId, name);
  }

  #values(item: YAMLMap): Readonly<Record<string, Value>> {
    const values: Record<string, Value> = {};
    for (const { key, value } of item.items) {
      const name = textOf(key) ?? '';
      if (ownKeys.includes(name)) continue;
      if (!Object.hasOwn(ruleMembers, name)) {
        const [near] = suggest(name, [...ruleMemberNames, ...ownKeys]);
        this.#list.problem(
          key,
          `unknown setting "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
        );
        continue;
      }
      const read = valueOf(value, name);
      // An empty setting in a file means that the setting does not change.
      if (read === null) {
        if (!isExplicit(value)) continue;
        if (canRemove(name)) values[name] = [];
        else this.#list.problem(value, notRemovable(name));
        continue;
      }
      const kind = ruleMembers[name as RuleMember];
      if (isOfKind(read, kind)) values[name] = read;
      else this.#list.problem(value, `"${name}" must be ${kindTexts[kind]}`);
    }
    return values;
  }
}

type MemberKind = (typeof ruleMembers)[RuleMember];
const kindTexts: Readonly<Record<MemberKind, string>> = {
  text: 'text',
  boolean: 'true or false',
  list: 'a list',
  object: 'a mapping',
};

function isOfKind(value: Value, kind: MemberKind): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'boolean') return typeof value === 'boolean';
  return typeof value === 'object' && Array.isArray(value) === (kind === 'list');
}

/** Converts a node to JSON. Numbers of members such as phone numbers remain texts. */
function valueOf(node: unknown, name: string): Value {
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map(({ key, value }) => {
        const member = textOf(key) ?? '';
        return [member, valueOf(value, member)];
      }),
    );
  }
  if (isSeq(node)) return node.items.map((item) => valueOf(item, name));
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value === 'number' && textMembers.has(name)) return source ?? String(value);
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? value : null;
}

/** Whether the file says `null` or `~`, not only a key without a value. */
function isExplicit(node: unknown): boolean {
  return isScalar(node) && node.value === null && (node.source ?? '') !== '';
}

function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  const { value, source } = node;
  return typeof value === 'string' ? value.trim() : source;
}

/** Returns the node at a path, or the nearest node above it if the file has no such value. */
function nodeAt(item: YAMLMap, path: readonly (string | number)[]): unknown {
  const node: unknown = item.getIn(path, true);
  return node === undefined && path.length > 1 ? nodeAt(item, path.slice(0, -1)) : node;
}
