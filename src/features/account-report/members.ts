/** The description of one reply member in the contract. */
export interface KnownMember {
  readonly types: readonly string[];
  readonly isRequired: boolean;
}

/** The members of a contract reply, by path. */
export type KnownMembers = ReadonlyMap<string, KnownMember>;

/** Reads the notation of `ReadOperation.members`. */
export function readMembers(text: string): KnownMembers {
  const members = text.split(' ').flatMap((entry): readonly (readonly [string, KnownMember])[] => {
    const [, path, optional, types] = /^([^?:]+)(\??):(.+)$/.exec(entry) ?? [];
    if (path === undefined || types === undefined) return [];
    return [[path, { types: types.split('|'), isRequired: optional === '' }]];
  });
  return new Map(members);
}

/** The members of all replies of an operation: names and JSON types, without values. */
export class MemberCollector {
  readonly #known: KnownMembers;
  /** Names of the known members below each path. */
  readonly #below = new Map<string, string[]>();
  readonly #seen = new Map<string, Set<string>>();
  readonly #unknown = new Map<string, { readonly name: string; readonly types: Set<string> }>();
  /** Paths of members that an object lacked. */
  readonly #lacking = new Set<string>();

  constructor(known: KnownMembers) {
    this.#known = known;
    for (const path of known.keys()) {
      const at = path.lastIndexOf('.');
      const parent = at < 0 ? '' : path.slice(0, at);
      this.#below.set(parent, [...(this.#below.get(parent) ?? []), path]);
    }
  }

  /** Adds a reply. */
  add(reply: unknown): void {
    this.#walk(reply, '');
  }

  /**
   * Returns the result. Names of unknown members can be data, for example in an object whose keys are names of people.
   * Only names for which `mayShow` returns true are included; the other names are counted.
   */
  result(mayShow: (name: string) => boolean): MemberReport {
    const unknown = [...this.#unknown].map(([path, { name, types }]) => ({ path, name, types }));
    const shown = unknown.filter(({ name }) => mayShow(name));
    const lacking = [...this.#lacking];
    return {
      members: typesByPath(this.#seen),
      unknown: typesByPath(new Map(shown.map(({ path, types }) => [path, types]))),
      unknownOmitted: unknown.length - shown.length,
      missing: lacking.filter((path) => this.#known.get(path)?.isRequired).toSorted(),
      missingOptional: lacking
        .filter((path) => !this.#known.get(path)?.isRequired && !this.#seen.has(path))
        .toSorted(),
      otherTypes: [...this.#seen].flatMap(([path, types]) => this.#otherTypes(path, types)).toSorted(),
    };
  }

  #otherTypes(path: string, types: ReadonlySet<string>): readonly string[] {
    const known = this.#known.get(path)?.types ?? [];
    return known.includes('any') || [...types].every((type) => known.includes(type)) ? [] : [path];
  }

  #walk(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#walk(item, `${path}[]`);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const below = this.#below.get(path) ?? [];
    const prefix = path === '' ? '' : `${path}.`;
    for (const known of below) {
      if (!Object.hasOwn(value, known.slice(prefix.length))) this.#lacking.add(known);
    }
    for (const [name, member] of Object.entries(value)) {
      const at = prefix + name;
      if (this.#known.has(at) && below.includes(at)) {
        addType(this.#seen, at, typeOf(member));
        this.#walk(member, at);
      } else {
        // Members of unknown members are not collected, because their names can be data.
        const entry = this.#unknown.get(at) ?? { name, types: new Set<string>() };
        entry.types.add(typeOf(member));
        this.#unknown.set(at, entry);
      }
    }
  }
}

/** The members of the replies of one operation, compared with the contract. */
export interface MemberReport {
  /** Types of the members of the contract, by path. */
  readonly members: Readonly<Record<string, string>>;
  /** Types of members that are not in the contract, by path. */
  readonly unknown: Readonly<Record<string, string>>;
  /** Number of unknown members whose names are not shown. */
  readonly unknownOmitted: number;
  /** Required members that at least one object lacked. */
  readonly missing: readonly string[];
  /** Optional members that no object had. */
  readonly missingOptional: readonly string[];
  /** Members with a type that is not in the contract. */
  readonly otherTypes: readonly string[];
}

/** Adds the texts in a JSON value, and the words in them, in lower case. */
export function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') {
    const text = value.toLowerCase();
    texts.add(text);
    for (const word of text.split(/[^\p{L}\p{N}]+/u)) texts.add(word);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, texts);
  }
}

/** Whether a name has the form of a member name. A name with several digits can be a number or an ID. */
export function isMemberName(name: string): boolean {
  return name.length <= 40 && /^[a-z][A-Za-z]*\d?[A-Za-z]*$/.test(name);
}

function typesByPath(all: ReadonlyMap<string, ReadonlySet<string>>): Readonly<Record<string, string>> {
  const entries = [...all].map(([path, types]) => [path, [...types].toSorted().join('|')] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function addType(all: Map<string, Set<string>>, path: string, type: string): void {
  const types = all.get(path) ?? new Set<string>();
  types.add(type);
  all.set(path, types);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
