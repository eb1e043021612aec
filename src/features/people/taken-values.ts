import type { Extension } from '../../contract/extension.ts';
import type { ListProblem } from '../bulk/index.ts';
import { findNumberProblems, type DesiredResource } from '../resource-plan/index.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { problemOf, type Listed } from './listed.ts';

/** A person of a file who was found in the account. */
export interface ListedPerson {
  readonly resource: DesiredResource;
  readonly listed: Listed;
  readonly person: Extension;
}

/** The numbers and e-mail addresses that people of a file cannot or may not be able to get. */
export interface TakenValues {
  readonly problems: readonly ListProblem[];
  readonly warnings: readonly string[];
}

/**
 * Finds numbers and e-mail addresses that two people of a file get, numbers that belong to another extension, and, as
 * warnings, addresses that belong to another extension. No published document says whether people can share an address.
 * @param extensions returns the extensions of the account; absent to accept all values
 */
export async function findTakenValues(
  people: readonly ListedPerson[],
  extensions: (() => Promise<readonly Extension[]>) | undefined,
): Promise<TakenValues> {
  const gets = (name: string): boolean => people.some(({ resource }) => name in resource.values);
  if (!extensions || !(gets('extensionNumber') || gets('email'))) return { problems: [], warnings: [] };
  const all = await extensions();
  return {
    problems: [...numberProblems(people, all), ...addressProblems(people)],
    warnings: addressWarnings(people, all),
  };
}

function numberProblems(
  people: readonly ListedPerson[],
  extensions: readonly Extension[],
): readonly ListProblem[] {
  const holders = extensions.flatMap((one) =>
    one.extensionNumber === undefined
      ? []
      : [{ id: String(one.id), title: titleOf(one), number: one.extensionNumber }],
  );
  const desired = people.map(({ resource }) => resource);
  const listed = new Map(people.map((one) => [one.resource.key, one.listed]));
  return findNumberProblems(desired, 'extensionNumber', holders).flatMap(({ resource, text }) => {
    const one = listed.get(resource.key);
    return one ? [problemOf(one, 'extensionNumber', text)] : [];
  });
}

/** Reports an address that several people of the file get, unless both already have it. */
function addressProblems(people: readonly ListedPerson[]): readonly ListProblem[] {
  const firsts = new Map<string, ListedPerson>();
  return people.flatMap((one) => {
    const { email } = one.resource.values;
    if (typeof email !== 'string') return [];
    const first = firsts.get(email);
    if (!first) firsts.set(email, one);
    if (!first || !(isNew(first, email) || isNew(one, email))) return [];
    const text = `${inLine(first)} and ${inLine(one)} have the same e-mail address ${email}`;
    return [problemOf(one.listed, 'email', text)];
  });
}

function inLine({ resource, listed }: ListedPerson): string {
  return `${resource.title} in line ${listed.place.line}`;
}

/** Warns of new addresses that belong to an extension which keeps its address. */
function addressWarnings(
  people: readonly ListedPerson[],
  extensions: readonly Extension[],
): readonly string[] {
  const wanted = new Map(people.map(({ resource }) => [resource.key, resource.values['email']]));
  const keeping = extensions.filter(
    (one) => (wanted.get(String(one.id)) ?? addressOf(one)) === addressOf(one),
  );
  const holders = new Map(keeping.map((one) => [addressOf(one), one]));
  return people.flatMap((one) => {
    const { email } = one.resource.values;
    if (typeof email !== 'string' || !isNew(one, email)) return [];
    const holder = holders.get(email);
    if (!holder || String(holder.id) === one.resource.key) return [];
    return [`${email} belongs to ${titleOf(holder)}; the service may reject it for ${one.resource.title}`];
  });
}

function isNew({ person }: ListedPerson, address: string): boolean {
  return addressOf(person) !== address;
}

function addressOf({ contact }: Extension): string | undefined {
  return contact?.email?.toLowerCase();
}
