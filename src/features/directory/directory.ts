import type { Extension } from '../../contract/extension.ts';
import type { FailedLookup, Lookup } from '../../runtime/lookup.ts';
import { indexNames, inScope, matches, type FindableExtension, type NameIndex, type Scope } from './match.ts';
import { describeExtension, nearest, withoutZeros } from './suggest.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { titleOf } from '../../runtime/with-number.ts';

/**
 * Milliseconds after which a long run reads the names of extensions again. A board reads its people every 10 minutes, and
 * looks up their names after a request whose time differs. With this shorter interval, the names are always old then.
 */
export const namesMilliseconds = 540_000;
/** Maximum number of unknown names that are compared with all names: a list with a wrong column has thousands. */
const maxCompared = 100;
/** Maximum number of candidates in the error of an ambiguous name. */
const maxCandidates = 5;

/**
 * Finds queues and agents by ID, extension number, e-mail, or name in any case. The extensions of the account are read
 * at the first lookup, and cached in memory.
 */
export class Directory {
  readonly #load: () => Promise<readonly Extension[]>;
  readonly #readOwn: () => Promise<Extension>;
  readonly signal: AbortSignal | undefined;
  #index: Promise<NameIndex> | undefined;
  /** Number of unknown names that were compared with all names. */
  #compared = 0;
  /** IDs that the account does not list, although it was read again for them. */
  #unlisted: ReadonlySet<string> = new Set();
  /** Time of the last read in milliseconds since 1970; undefined before the first call of `readAgainFor`. */
  #readAt: number | undefined;

  /** `readOwn` reads the signed-in extension, which `~` refers to. `signal` interrupts the lookup of many unknown names. */
  constructor(
    load: () => Promise<readonly Extension[]>,
    readOwn: () => Promise<Extension>,
    signal?: AbortSignal,
  ) {
    this.#load = load;
    this.#readOwn = readOwn;
    this.signal = signal;
  }

  own(): Promise<Extension> {
    return this.#readOwn();
  }

  /** Every extension of the account. */
  async all(): Promise<readonly Extension[]> {
    return (await this.#names()).extensions;
  }

  /** Finds a call queue by ID, extension number or name. */
  queue(text: string): Promise<Lookup> {
    return this.#find(text, 'queue');
  }

  /** Finds any extension except queues, by ID, extension number, e-mail or unambiguous name; `~` is the signed-in one. */
  async agent(text: string): Promise<Lookup> {
    return this.#find(text === '~' ? String((await this.own()).id) : text, 'agent');
  }

  /** Finds any extension, including queues. */
  extension(text: string): Promise<Lookup> {
    return this.#find(text, 'extension');
  }

  async byId(id: string | number): Promise<Extension | undefined> {
    return (await this.#names()).byId.get(String(id));
  }

  /**
   * Reads the extensions again if one of these IDs is unknown, for example because the person is new, or if the names are
   * 9 minutes old. An ID that is still unknown does not cause another read until then.
   */
  async readAgainFor(ids: readonly (string | number)[], now: number): Promise<void> {
    const { byId } = await this.#names();
    this.#readAt ??= now;
    // The clock may have been set back.
    const isOld = Math.abs(now - this.#readAt) >= namesMilliseconds;
    const unknown = ids.map(String).filter((id) => !byId.has(id));
    if (!isOld && unknown.every((id) => this.#unlisted.has(id))) return;
    // Set before the read, so that a failed read of old names is not repeated at once.
    if (isOld) this.#readAt = now;
    const index = indexNames(await this.#load());
    this.#index = Promise.resolve(index);
    this.#readAt = now;
    const known = isOld ? [] : this.#unlisted;
    this.#unlisted = new Set([...known, ...unknown].filter((id) => !index.byId.has(id)));
  }

  async #find(text: string, scope: Scope): Promise<Lookup> {
    const index = await this.#names();
    const found = matches(text, scope, index);
    const [only, second] = found;
    if (only) return second ? ambiguous(text, scope, found) : { found: only };
    return elsewhere(text, scope, index) ?? this.#unknown(text, scope, index);
  }

  async #unknown(text: string, scope: Scope, index: NameIndex): Promise<Lookup> {
    // A comparison takes long in a large account, and Ctrl-C takes effect only between events.
    await new Promise((resolve) => setImmediate(resolve));
    this.signal?.throwIfAborted();
    this.#compared += 1;
    const near = this.#compared > maxCompared ? [] : nearest(text, scope, index);
    return {
      kind: 'unknown',
      message: `${scope} "${text}" not found`,
      hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : lookupHints[scope],
      near: near.length > 0,
      details: [],
    };
  }

  #names(): Promise<NameIndex> {
    this.#index ??= this.#load().then(indexNames);
    return this.#index;
  }
}

/** Returns the lookup of a text that several extensions match, with the candidates. */
export function ambiguous(text: string, scope: Scope, found: readonly FindableExtension[]): FailedLookup {
  const more = found.length - maxCandidates;
  return {
    kind: 'ambiguous',
    message: `"${text}" matches ${found.length} ${scope}s`,
    hint: 'use the extension number or ID',
    near: false,
    details: [
      ...found.slice(0, maxCandidates).map(describeExtension),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
  };
}

/** Returns the lookup of a text that names an extension of another kind, or a number with added zeros. */
function elsewhere(text: string, scope: Scope, index: NameIndex): Lookup | undefined {
  const [other] = matches(text, 'extension', index);
  if (other) {
    return {
      kind: 'unknown',
      message: `"${text}" is not ${withArticle[scope]}: ${describeExtension(other)}`,
      hint: otherKindHint(scope),
      near: false,
      details: [],
    };
  }
  const meant = withoutZeros(text, index);
  if (!meant) return undefined;
  const { extensionNumber = '' } = meant;
  return {
    kind: 'unknown',
    message: `${scope} "${text}" not found`,
    hint: inScope(meant, scope)
      ? `did you mean ${titleOf(meant)}?`
      : nextStep`did you mean ${titleOf(meant)}? ${extensionNumber} is not ${withArticle[scope]}; ${otherKindHint(scope)}`,
    near: true,
    details: [],
  };
}

/** The hint for a name of a queue where a person is required, or the reverse. */
function otherKindHint(scope: Scope): Hint {
  return scope === 'queue' ? lookupHints.queue : 'specify a person instead of a queue';
}

const withArticle: Readonly<Record<Scope, string>> = {
  queue: 'a queue',
  agent: 'an agent',
  extension: 'an extension',
};

/** Hints for a name without a similar one. */
const lookupHints: Readonly<Record<Scope, Hint>> = {
  queue: nextStep`list the queues: ${ucctl('queue list')}`,
  agent: 'use the extension number, e-mail or ID of the agent',
  extension: 'use the extension number, e-mail or ID',
};
