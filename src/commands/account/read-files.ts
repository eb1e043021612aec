import type { Extension } from '../../contract/extension.ts';
import {
  fileOf,
  partNames,
  type AccountItem,
  type AccountTexts,
  type PartName,
} from '../../features/account-files/index.ts';
import { readRulesFile } from '../../features/answering-rules/index.ts';
import { readDesiredState } from '../../features/assignment/index.ts';
import { cellPlace, rejectList, type ListProblem } from '../../features/bulk/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import { readHoursFile } from '../../features/hours/index.ts';
import { readPeopleFile } from '../../features/people/index.ts';
import { queueFileForm } from '../../features/queue-settings/index.ts';
import { readResourceFile, type ResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { Lookup } from '../../runtime/lookup.ts';
import type { Account } from './read-account.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** The items of the files of a folder, by part. */
export type FolderItems = ReadonlyMap<PartName, ReadonlyMap<string, AccountItem>>;

/** Finds extensions; for a name that the account does not have, returns an extension with this name as its ID. */
interface Names {
  queue(text: string): Promise<Lookup>;
  agent(text: string): Promise<Lookup>;
  extension(text: string): Promise<Lookup>;
}

interface PartText {
  readonly text: string;
  readonly file: string;
  readonly names: Names;
  readonly account: Account;
}

/** The items and the problems of a file. */
interface PartItems {
  readonly items: readonly AccountItem[];
  readonly problems: readonly ListProblem[];
}

/**
 * Reads the files of a folder for a comparison. Names that the account does not have are accepted, because the comparison reports
 * them as missing.
 * @throws {CommandError} `usage` (exit 2) with the problems of all files
 */
export async function readFiles(
  ctx: Context,
  texts: AccountTexts,
  directory: Directory,
  account: Account,
): Promise<FolderItems> {
  const names = lenientNames(directory);
  const problems: ListProblem[] = [];
  const found = new Map<PartName, ReadonlyMap<string, AccountItem>>();
  for (const part of partNames) {
    const text = texts[part];
    if (text === undefined) continue;
    const read = await readers[part]({ text, file: fileOf(part), names, account });
    problems.push(...read.problems);
    found.set(part, new Map(read.items.map((item) => [item.key, item])));
  }
  const whole = problems.map(({ place, text, more }) => ({ place, text, more }));
  if (whole.length > 0) return rejectList(ctx, whole, { canSkip: false });
  return found;
}

function lenientNames(directory: Directory): Names {
  const accept = async (text: string, lookup: Promise<Lookup>): Promise<Lookup> => {
    const result = await lookup;
    return result.found || result.kind === 'ambiguous' ? result : { found: unknownExtension(text) };
  };
  return {
    queue: (text) => accept(text, directory.queue(text)),
    agent: (text) => accept(text, directory.agent(text)),
    extension: (text) => accept(text, directory.extension(text)),
  };
}

function unknownExtension(text: string): Extension {
  return { uri: '', id: text, name: text, type: 'User', status: 'Enabled' };
}

const readers: Readonly<Record<PartName, (part: PartText) => Promise<PartItems>>> = {
  queues: readQueues,
  people: async ({ text, file, names }) => itemsOf(await readPeopleFile(text, file, { directory: names })),
  hours: async ({ text, file, names }) => itemsOf(await readHoursFile(text, file, names)),
  rules: async ({ text, file, names, account }) =>
    itemsOf(
      await readRulesFile(text, file, {
        directory: names,
        rules: { of: (id) => Promise.resolve(account.rulesOf(id)) },
        acceptUnknown: true,
      }),
    ),
};

function itemsOf({ desired, problems }: ResourceFile): PartItems {
  return { items: desired.map(({ key, title, values }) => ({ key, title, values })), problems };
}

async function readQueues({ text, file, names }: PartText): Promise<PartItems> {
  const { resources, problems: wrong } = readResourceFile(text, file, queueFileForm);
  const state = readDesiredState(text, file);
  const problems = [...wrong, ...state.problems];
  const failed = ({ message, details }: Lookup & { found?: undefined }): void => {
    problems.push({
      place: undefined,
      text: `${file}: ${message}`,
      more: details.map((line) => `  ${line}`),
    });
  };
  const lists = new Map<string, Map<string, string>>();
  for (const { queue } of state.desired) lists.set(queue, new Map());
  for (const { queue, agent } of state.requests) {
    const lookup = await names.agent(agent);
    if (lookup.found) lists.get(queue)?.set(String(lookup.found.id), titleOf(lookup.found));
    else failed(lookup);
  }
  const items = new Map<string, AccountItem>();
  for (const { name, values, place } of resources) {
    const lookup = await names.queue(name);
    if (!lookup.found) {
      failed(lookup);
      continue;
    }
    const members = lists.get(name);
    const [key, title] = [String(lookup.found.id), titleOf(lookup.found)];
    if (items.has(key)) problems.push({ place: cellPlace(place, 'queue'), text: `${title} is listed twice` });
    items.set(key, { key, title, values, ...(members && { members }) });
  }
  return { items: [...items.values()], problems };
}
