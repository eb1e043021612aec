import type { Extension } from '../../contract/extension.ts';
import { isE164, readWrittenNumber } from '../../platform/e164.ts';
import { withLineFeeds } from '../../platform/line-feeds.ts';
import { suggest } from '../../platform/suggest.ts';
import { safeQuoted } from '../../platform/terminal-text.ts';
import { type Lookup, missText } from '../../runtime/lookup.ts';
import {
  columnsOf,
  columnsOfList,
  headingGroups,
  isHeading,
  isYamlList,
  readTable,
  unreadColumns,
  unreadText,
  type ListContent,
  type ListProblem,
  type RunInput,
  type TableField,
  type TableRow,
} from '../bulk/index.ts';
import {
  expectedText,
  readResourceFile,
  readValue,
  type DesiredResource,
  type ResourceFile,
  type Value,
} from '../resource-plan/index.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { problemOf, type Listed } from './listed.ts';
import { findTakenValues, type ListedPerson } from './taken-values.ts';
import { canRemove, isPerson, personSettings, valuesOf, type PersonSetting } from './settings.ts';

interface Read {
  readonly people: readonly Listed[];
  readonly problems: readonly ListProblem[];
  readonly warnings?: readonly string[];
  readonly input?: RunInput;
}

/** Headings of a column, in addition to the name of its setting. */
const otherHeadings: Readonly<Partial<Record<PersonSetting, readonly string[]>>> = {
  extensionNumber: ['extension', 'ext', 'number'],
  email: ['emailaddress', 'mail'],
  jobTitle: ['title'],
  businessPhone: ['phone'],
  mobilePhone: ['mobile'],
};

/** The settings that are phone numbers. */
const phones: readonly PersonSetting[] = ['businessPhone', 'mobilePhone'];

type Field = 'agent' | PersonSetting;
const agentField: TableField<Field> = {
  name: 'agent',
  headings: [
    ['agent', 'agentid', 'id', 'userid', 'extensionid'],
    ['user', 'person'],
  ],
  column: 'required',
  cell: 'required',
};
const fields: readonly TableField<Field>[] = [
  agentField,
  ...personSettings.map(({ name }): TableField<Field> => ({
    name,
    headings: [[name.toLowerCase(), ...(otherHeadings[name] ?? [])]],
    column: 'optional',
    cell: 'optional',
    freeText: !phones.includes(name),
  })),
];

/** Finds extensions by ID, number, e-mail address or name. */
interface NameLookup {
  agent(text: string): Promise<Lookup>;
}

/** The extensions and sites that a file of people can refer to. */
export interface PeopleNames {
  readonly directory: NameLookup;
  /** The sites of the account; undefined to accept any site. */
  readonly sites?: ReadonlyMap<string, string>;
  /** Returns all extensions of the account, to find numbers that are taken; absent to accept any number. */
  readonly extensions?: () => Promise<readonly Extension[]>;
  /** Columns of a table with other headings, by heading. */
  readonly map?: ReadonlyMap<string, string>;
  /** Whether an empty cell of a table removes a value that can be removed; otherwise the value stays unchanged. */
  readonly removeEmpty?: boolean | undefined;
}

/** Reads a YAML file or a table of people, and looks up their names. Finds all problems of the file. */
export async function readPeopleFile(
  content: ListContent,
  file: string,
  names: PeopleNames,
): Promise<ResourceFile> {
  const {
    people,
    problems,
    warnings = [],
    input,
  } = isYamlList(content, file, 'agents')
    ? readYaml(content, file, names)
    : readPeopleTable(content, file, names);
  const found: ListProblem[] = [...problems];
  const desired = new Map<string, DesiredResource>();
  const listed = new Map<string, ListedPerson>();
  for (const one of people) {
    const { person, problem } = await lookUp(one, names.directory);
    if (!person) {
      found.push(problem);
      continue;
    }
    const key = String(person.id);
    if (desired.has(key)) found.push(problemOf(one, 'agent', `${titleOf(person)} is listed twice`));
    const siteProblem = checkSite(one, names.sites);
    if (siteProblem) found.push(siteProblem);
    const numbers = await readPhones(one, person);
    if (names.extensions) found.push(...numbers.problems);
    const resource = {
      id: key,
      key,
      title: titleOf(person),
      values: { ...normalized(one, person), ...numbers.values },
      ...(one.row !== undefined && { rows: [one.row] }),
    };
    desired.set(key, resource);
    listed.set(key, { resource, listed: one, person });
  }
  const taken = await findTakenValues([...listed.values()], names.extensions);
  found.push(...taken.problems);
  return {
    desired: [...desired.values()],
    problems: found,
    ...(input && { input }),
    warnings: [...warnings, ...taken.warnings],
  };
}

function readYaml(text: string, file: string, { removeEmpty }: Pick<PeopleNames, 'removeEmpty'>): Read {
  const form = { list: 'agents', item: 'agent', settings: personSettings, otherKeys: ['name', 'queues'] };
  const { resources, problems } = readResourceFile(text, file, form);
  if (!removeEmpty) return { people: resources, problems };
  const notTable = `${file} is not a table; --remove-empty applies only to the empty cells of a table; in YAML, null removes a value`;
  return { people: resources, problems: [{ place: undefined, text: notTable }, ...problems] };
}

/**
 * Adds the column that identifies the people of a table without a column `agent`, such as `Ext`. In a table with both, this
 * column is a setting.
 */
function withAgentColumn(
  content: ListContent,
  map: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const key = { ...agentField, headings: [...agentField.headings, ...headingGroups.extension] };
  const [column, second] = columnsOfList(content, key, { map, required: [key] }) ?? [];
  if (!column || second) return map;
  const isOther = !agentField.headings.some((names) => isHeading(column.heading, names));
  return isOther ? new Map([...map, [column.heading, 'agent']]) : map;
}

function readPeopleTable(
  content: ListContent,
  file: string,
  { map: given, removeEmpty }: Pick<PeopleNames, 'map' | 'removeEmpty'>,
): Read {
  const map = withAgentColumn(content, given);
  const table = readTable<Field>(content, file, { fields, map, check: checkRow });
  const indexes = new Map(table.rows.map((row, index) => [row, index]));
  const { headings } = table.input;
  const settings = fields.filter(({ name }) => name !== 'agent');
  const removed = settings.flatMap((field) =>
    removeEmpty && canRemove(field.name) && columnsOf(headings, map, field).length > 0 ? [field.name] : [],
  );
  const people = table.readable.map((row) => ({
    name: row.value('agent'),
    values: rowValues(row, removed),
    place: row.place,
    row: indexes.get(row) ?? 0,
  }));
  const hasSettings = settings.some((field) => columnsOf(headings, map, field).length > 0);
  const unread = unreadColumns(headings, fields, map).map((heading) =>
    unreadText(
      heading,
      'a setting',
      personSettings.map(({ name }) => name),
    ),
  );
  if (!hasSettings && table.problems.length === 0) {
    const text = `the list has no column with a setting; ${unread.join('; ')}${unread.length > 0 ? '; ' : ''}settings: ${settings.map(({ name }) => name).join(', ')}; to use another heading: --map HEADING=SETTING`;
    return { people, problems: [{ place: { file, line: 1, column: 'agent' }, text }], input: table.input };
  }
  const warnings = unread.map((text) => `${file}: ${text}; ucctl ignores the column`);
  return { people, problems: table.problems, warnings, input: table.input };
}

/** Returns the settings of a row. An empty cell leaves the setting unchanged, except the settings in `removed`. */
function rowValues(row: TableRow<Field>, removed: readonly Field[]): Readonly<Record<string, Value>> {
  const given = personSettings.filter(({ name }) => row.value(name) !== '' || removed.includes(name));
  return Object.fromEntries(
    given.map((spec) => {
      const text = row.value(spec.name);
      return [spec.name, text === '' ? null : (readValue(spec, text) ?? null)];
    }),
  );
}

function checkRow(row: TableRow<Field>): readonly (readonly [Field, string])[] {
  return personSettings.flatMap((spec): readonly (readonly [Field, string])[] => {
    const text = row.value(spec.name);
    if (text === '' || readValue(spec, text) !== undefined) return [];
    return [[spec.name, `"${text}" is not a valid value; the value must be ${expectedText(spec)}`]];
  });
}

async function lookUp(
  one: Listed,
  directory: NameLookup,
): Promise<
  | { readonly person: Extension; readonly problem?: undefined }
  | { readonly person?: undefined; readonly problem: ListProblem }
> {
  const lookup = await directory.agent(one.name);
  if (!lookup.found) {
    return {
      problem: {
        ...problemOf(one, 'agent', missText(lookup)),
        more: lookup.details.map((line) => `  ${line}`),
      },
    };
  }
  if (isPerson(lookup.found)) return { person: lookup.found };
  return {
    problem: problemOf(one, 'agent', `"${one.name}" is not a person: its type is ${lookup.found.type}`),
  };
}

function checkSite(one: Listed, sites: PeopleNames['sites']): ListProblem | undefined {
  const { site } = one.values;
  if (typeof site !== 'string' || !sites || sites.has(site)) return undefined;
  const [near] = suggest(site, [...sites.keys()]);
  const next = near === undefined ? `sites: ${[...sites.keys()].join(', ')}` : `did you mean "${near}"?`;
  return problemOf(one, 'site', `site "${site}" not found; ${next}`);
}

/** Returns the phone numbers of a person that differ from the present ones, without trunk prefixes, and their problems. */
async function readPhones(
  one: Listed,
  person: Extension,
): Promise<{ readonly values: Readonly<Record<string, Value>>; readonly problems: readonly ListProblem[] }> {
  const values: Record<string, Value> = {};
  const problems: ListProblem[] = [];
  const wanted = normalized(one, person);
  const present = valuesOf(person);
  for (const name of phones) {
    const text = wanted[name];
    if (typeof text !== 'string' || text === present[name]) continue;
    const { number, lengthProblem } = await readWrittenNumber(text);
    values[name] = number;
    if (lengthProblem !== undefined) problems.push(problemOf(one, name, `"${text}" ${lengthProblem}`));
  }
  return { values, problems };
}

/**
 * Returns the settings in the notation of the service. A cell of a table that shows the present value of the person means
 * this value.
 */
function normalized({ values, row }: Listed, person: Extension): Listed['values'] {
  const { email } = values;
  const present = row === undefined ? {} : valuesOf(person);
  const shown = Object.entries(present).filter(([name, value]) => isShownAs(value, values[name]));
  return {
    ...values,
    ...Object.fromEntries(shown),
    ...(typeof email === 'string' && { email: email.toLowerCase() }),
  };
}

/**
 * Whether a cell shows a present value. CSV shows control characters and direction marks as visible texts, and lists have
 * one form of line breaks. A spreadsheet reads +16505550112 as a number and removes its +.
 */
function isShownAs(present: Value | undefined, cell: Value | undefined): boolean {
  if (typeof present !== 'string' || typeof cell !== 'string') return false;
  const text = withLineFeeds(present).trim();
  return [text, safeQuoted(text)].includes(cell) || (isE164(present) && present === `+${cell}`);
}
