import type { Extension } from '../../contract/extension.ts';
import type { Lookup } from '../../runtime/lookup.ts';
import { indexNames, matches, type NameIndex, type Scope } from './match.ts';
import { describeExtension, nearest } from './suggest.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

const listed = 5;

/**
 * Finds queues and agents by what people call them: id, extension number, e-mail, or name in any case. The account's extensions are read
 * once, at the first question, and kept in memory for the run.
 */
export class Directory {
  readonly #load: () => Promise<readonly Extension[]>;
  #index: Promise<NameIndex> | undefined;

  constructor(load: () => Promise<readonly Extension[]>) {
    this.#load = load;
  }

  /** Every extension of the account. */
  async all(): Promise<readonly Extension[]> {
    return (await this.#names()).extensions;
  }

  /** A call queue by id, extension number or name. */
  queue(text: string): Promise<Lookup> {
    return this.#find(text, 'queue');
  }

  /** Anyone but a queue, by id, extension number, e-mail or unambiguous name. */
  agent(text: string): Promise<Lookup> {
    return this.#find(text, 'agent');
  }

  /** Any extension, queues too. */
  extension(text: string): Promise<Lookup> {
    return this.#find(text, 'extension');
  }

  async byId(id: string | number): Promise<Extension | undefined> {
    return (await this.#names()).byId.get(String(id));
  }

  async #find(text: string, scope: Scope): Promise<Lookup> {
    const index = await this.#names();
    const found = matches(text, scope, index);
    const [only, second] = found;
    if (only && !second) return { found: only };
    return only ? ambiguous(text, scope, found) : unknown(text, scope, index);
  }

  #names(): Promise<NameIndex> {
    this.#index ??= this.#load().then(indexNames);
    return this.#index;
  }
}

function ambiguous(text: string, scope: Scope, found: readonly Extension[]): Lookup {
  const more = found.length - listed;
  return {
    kind: 'ambiguous',
    message: `"${text}" fits ${found.length} ${scope}s`,
    hint: 'name it by extension number or id',
    near: false,
    details: [...found.slice(0, listed).map(describeExtension), ...(more > 0 ? [`and ${more} more`] : [])],
  };
}

function unknown(text: string, scope: Scope, index: NameIndex): Lookup {
  const [other] = matches(text, 'extension', index);
  if (other) {
    return {
      kind: 'unknown',
      message: `"${text}" is no ${scope}: ${describeExtension(other)}`,
      hint:
        scope === 'queue' ? nextStep`list the queues: ${ucctl('queue list')}` : 'a queue cannot stand here',
      near: false,
      details: [],
    };
  }
  const near = nearest(text, scope, index.extensions);
  return {
    kind: 'unknown',
    message: `there is no ${scope} "${text}"`,
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : noIdea[scope],
    near: near.length > 0,
    details: [],
  };
}

const noIdea: Readonly<Record<Scope, Hint>> = {
  queue: nextStep`list the queues: ${ucctl('queue list')}`,
  agent: 'name an agent by extension number, e-mail or id',
  extension: 'name it by extension number, e-mail or id',
};
