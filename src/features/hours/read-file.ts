import type { ListContent, ListProblem } from '../bulk/index.ts';
import {
  readResourceFile,
  show,
  type DesiredResource,
  type FileResource,
  type ResourceFile,
  type Value,
  yamlText,
} from '../resource-plan/index.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { company, type Lookup, missText } from '../../runtime/lookup.ts';
import { days, readDay } from './values.ts';

/** Finds extensions by ID, number, e-mail address or name. */
interface NameLookup {
  extension(text: string): Promise<Lookup>;
}

const form = {
  list: 'hours',
  item: 'owner',
  settings: days.map((name) => ({ name, type: 'text', removable: true }) as const),
  otherKeys: ['name'],
};

/** Reads a YAML file of business hours, and looks up the extensions. Finds all problems of the file. */
export async function readHoursFile(
  content: ListContent,
  file: string,
  directory: NameLookup,
): Promise<ResourceFile> {
  const text = yamlText(content, file, 'hours');
  if (typeof text !== 'string') return { desired: [], problems: [text] };
  const { resources, problems } = readResourceFile(text, file, form);
  const found: ListProblem[] = [...problems];
  const desired = new Map<string, DesiredResource>();
  for (const resource of resources) {
    const ref = await lookUp(resource, directory);
    if ('text' in ref) {
      found.push(ref);
      continue;
    }
    if (desired.has(ref.key)) found.push(problemOf(resource, 'owner', `${ref.title} is listed twice`));
    const { values, problems: wrong } = readDays(resource);
    found.push(...wrong);
    desired.set(ref.key, { ...ref, values });
  }
  return { desired: [...desired.values()], problems: found };
}

async function lookUp(
  resource: FileResource,
  directory: NameLookup,
): Promise<Pick<DesiredResource, 'id' | 'key' | 'title'> | ListProblem> {
  if (resource.name.toLowerCase() === company) return { id: company, key: company, title: 'Company' };
  const lookup = await directory.extension(resource.name);
  if (!lookup.found) {
    return {
      ...problemOf(resource, 'owner', missText(lookup)),
      more: lookup.details.map((line) => `  ${line}`),
    };
  }
  const id = String(lookup.found.id);
  return { id, key: id, title: titleOf(lookup.found) };
}

function readDays(resource: FileResource): {
  readonly values: Readonly<Record<string, Value>>;
  readonly problems: readonly ListProblem[];
} {
  const values: Record<string, Value> = {};
  const problems: ListProblem[] = [];
  const isRemoved = days.every((day) => resource.values[day] === null);
  for (const [day, value] of Object.entries(resource.values)) {
    if (value === null) {
      if (isRemoved) values[day] = null;
      else problems.push(problemOf(resource, day, oneDayRemoved));
      continue;
    }
    const hours = typeof value === 'string' ? readDay(value) : undefined;
    if (hours !== undefined) values[day] = hours;
    else
      problems.push(
        problemOf(
          resource,
          day,
          `"${show(value)}" is not a valid time range; use hours such as 09:00-17:00, or closed; separate several ranges with commas, and write hours after midnight on the next day`,
        ),
      );
  }
  return { values, problems };
}

const oneDayRemoved =
  'you cannot remove the hours of a single day; use closed for a day without hours, or null for all seven days to remove the schedule';

function problemOf({ place, lines }: FileResource, column: string, text: string): ListProblem {
  return { place: { file: place.file, line: lines[column] ?? place.line, column }, text, isOfRow: true };
}
