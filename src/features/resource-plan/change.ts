import type { CommandText } from '../../errors/hint.ts';
import type { RateGroup } from '../../contract/enums.ts';
import type { ListProblem, Receipt, RequestCounts } from '../bulk/index.ts';

/** A value of a setting, as JSON. Absent settings are null. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/** Settings of a resource by name. A member of a nested object has a dotted name, such as `serviceLevel.goal`. */
export type Values = Readonly<Record<string, Value>>;

/** The reference of a plan to a resource. */
export interface ResourceRef {
  /** ID on the service; null for a resource that does not exist yet. */
  readonly id: string | null;
  /** A key that is unique in the account and known before creation: the ID, or for example the extension number. */
  readonly key: string;
  /** Name for people, such as `Support (201)`. */
  readonly title: string;
  /** Extension number, if the resource has one. */
  readonly number?: string | undefined;
}

/** A resource as the service returned it. */
export interface PresentResource {
  readonly id: string;
  readonly values: Values;
}

/** A resource as a file describes it. Settings that the file does not name are not changed. */
export interface DesiredResource extends ResourceRef {
  readonly values: Values;
  /** Indexes of the rows of the input; empty for a file without rows. */
  readonly rows?: readonly number[];
}

/** One change of a plan, as stored in plan files and in the journal. */
export interface ResourceChange extends ResourceRef {
  readonly action: 'create' | 'update';
  /** The settings that change, before the change; empty for a creation. */
  readonly before: Values;
  /** The settings that change, after the change. */
  readonly after: Values;
  readonly rows?: readonly number[];
  /** A change with a step is sent after all changes of smaller steps; 0 by default. */
  readonly step?: number;
}

/** The difference between a file and the service. */
export interface ResourcePlan {
  readonly changes: readonly ResourceChange[];
  /** Resources that already have the desired settings. */
  readonly unchanged: readonly ResourceRef[];
  /** Contradictions, such as the creation of a resource that exists. A plan with problems is not applied. */
  readonly problems: readonly ListProblem[];
}

/** The result of a request for changes. */
export interface ChangeReceipt extends Receipt {
  /**
   * The reasons why the service rejected some of the changes of an accepted request, by index of the change in the
   * request.
   */
  readonly rejected?: ReadonlyMap<number, Receipt>;
}

/** A kind of resource that files describe, with the functions that read, change and report it. */
export interface ResourceKind {
  /** Kind of the runs in the journal, such as `queue.settings`. */
  readonly run: string;
  /** Name of one resource, such as `queue`. */
  readonly noun: string;
  /** Name of a run in errors, such as `change of queue settings`. */
  readonly what: string;
  /** Label of the progress, such as `Changing queues`. */
  readonly label: string;
  /** The command that resumes a run, without its ID. */
  readonly resume: CommandText;
  /** Maximum number of changes in one request. */
  readonly maxItems: number;
  /** Names of the settings whose values are unique in the account, such as the extension number. */
  readonly unique?: readonly string[];
  /**
   * Whether the service can remove the value of a setting. By default, it can remove every value.
   * @param removed the settings of the same resource whose values would be removed at the same time
   */
  canRemove?(setting: string, removed: readonly string[]): boolean;
  /** Returns the settings of a file with the settings that change together with them. By default, no others change. */
  complete?(values: Values, present: Values): Values;
  /** The published defaults of settings, and of their members, that the service may omit. */
  readonly defaults?: Values;
  /** Usage groups of the requests, for the announced time. */
  readonly groups: {
    readonly read: RateGroup;
    /** Number of resources that one request reads. */
    readonly readItems: number;
    readonly update: RateGroup;
    readonly create?: RateGroup;
    /** Returns the number of all requests of one creation, if it takes several. */
    creation?(change: ResourceChange): RequestCounts;
  };
  /**
   * Reads the current settings. Resources that do not exist are absent; other resources have the keys of `refs`.
   * @param signal undefined to read back what was sent: an interruption does not end such a read.
   */
  read(
    refs: readonly ResourceRef[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, PresentResource>>;
  /** Sends the changes as one request. All have the same action; creations are sent one at a time. */
  send(changes: readonly ResourceChange[]): Promise<ChangeReceipt>;
  /** The settings that undo a creation, for resources that cannot be deleted. Absent if a creation cannot be undone. */
  readonly undoCreation?: Values;
  /**
   * Whether a resource may be the result of a creation that stopped between its requests. Absent if one request creates
   * the whole resource.
   */
  isPartlyCreated?(change: ResourceChange, present: PresentResource): boolean;
  /** A sentence about creations, shown with every plan that contains a creation. */
  readonly creationNote?: string;
  /** Returns the users who last changed these resources, if the audit trail may be read, as texts by key. */
  whoChanged?(refs: readonly ResourceRef[]): Promise<ReadonlyMap<string, string>>;
}
