import type { List } from '../contract/common.ts';
import { ReplyError } from '../errors/service.ts';
import { stringifyJson } from '../platform/json.ts';
import type { Call } from './call.ts';

/**
 * Number of the latest records whose keys are stored to drop duplicates. Insertions move records to the next few pages.
 * Pages that are read again contain earlier records. The keys of all records of a long list would fill the memory.
 */
const mostKeys = { once: 4000, repeated: 50_000 } as const;
/**
 * Maximum number of successive new pages without a new record in a list whose total promises more records. Each record
 * by which the total grows permits another page.
 */
const mostKnownPages = 20;

/** The position of a page. */
interface Place {
  readonly page: number;
  /** Number of records in the replies before this page. */
  readonly received: number;
  /** Whether the page must have other records than the page before. */
  readonly isExpected: boolean;
}

/** The result of the next page. */
interface Added<T> {
  readonly fresh: readonly T[];
  readonly isEnd: boolean;
  /**
   * Whether the page after this one shows if the list has ended: this page repeats the first one. Either the service
   * ignores the page number, or new records have moved all records to the next page.
   */
  readonly isDoubtful: boolean;
}

/** Recognizes pages that repeat, and the latest records. */
export class SeenPages {
  readonly #call: Call;
  readonly #repeatsAfterDeletion: boolean;
  readonly #marks = new Set<string>();
  readonly #received: number[] = [];
  /** The keys of the latest records, oldest first. */
  readonly #keys = new Set<string>();
  #isComplete = true;
  /** Number of records in the replies up to the furthest page. */
  #end = 0;
  #firstMark = '';
  /** Number of pages since the first one if all of them repeat it; otherwise not a number. */
  #copies = 0;
  #knownPages = 0;
  #total = 0;

  /** @param repeatsAfterDeletion whether earlier pages are read again if the total is lower */
  constructor(call: Call, repeatsAfterDeletion = false) {
    this.#call = call;
    this.#repeatsAfterDeletion = repeatsAfterDeletion;
  }

  /**
   * Returns the records of the next page that are new, and whether the list ends because the page repeats an earlier one
   * by mistake. Pages may contain only known records if they are read again, or if insertions moved the records of the
   * previous page. A total shows that the list continues after such a page.
   * @throws {ReplyError} if many successive pages have no new records, although the total promises more, or if all pages
   * are the same, although more records must follow.
   */
  add<T>({ paging }: List<T>, records: readonly T[], { page, received, isExpected }: Place): Added<T> {
    const total = this.#repeatsAfterDeletion ? paging?.totalElements : undefined;
    const mayRepeat = total !== undefined;
    this.#received[page] = received;
    const mark = markOf(records);
    this.#countCopy(mark, page);
    if (this.#marks.has(mark) && !mayRepeat)
      return { fresh: [], isEnd: true, isDoubtful: this.#isDoubtful(isExpected) };
    this.#marks.add(mark);
    const fresh = records.filter((record) => !this.#keys.has(keyOf(record)));
    for (const record of fresh) this.#keys.add(keyOf(record));
    this.#forgetOldest();
    const end = received + records.length;
    if (mayRepeat) this.#countKnownPage(fresh.length === 0 && end > this.#end, total);
    this.#end = Math.max(this.#end, end);
    const isEnd = fresh.length === 0 && !(mayRepeat && records.length > 0);
    return { fresh, isEnd, isDoubtful: false };
  }

  #countCopy(mark: string, page: number): void {
    if (page === 1) [this.#firstMark, this.#copies] = [mark, 0];
    else this.#copies = mark === this.#firstMark ? this.#copies + 1 : Number.NaN;
  }

  /** @throws {ReplyError} if the page after a doubtful one is the same. */
  #isDoubtful(isExpected: boolean): boolean {
    if (this.#copies > 1)
      throw new ReplyError(200, this.#call, 'the same records for each page number', {
        hint: 'the service ignores the page number, so request fewer records at a time, for example of a shorter period or of one extension',
      });
    return this.#copies === 1 && isExpected;
  }

  /**
   * Returns the number of records in the replies before a page that is read again.
   * @throws {ReplyError} if its records can be older than the stored keys, and could be yielded twice.
   */
  receivedBefore(page: number): number {
    const received = this.#received[page] ?? 0;
    // The stored keys include those of deleted records, so only half of them are relied on.
    if (!this.#isComplete && this.#end - received > mostKeys.repeated / 2)
      throw new ReplyError(
        200,
        this.#call,
        'a list from which more records were deleted than can be tracked',
        {
          hint: 'run the command again when no other program deletes these records',
        },
      );
    return received;
  }

  #countKnownPage(isKnown: boolean, total: number): void {
    const inserted = Math.max(0, total - this.#total);
    this.#total = total;
    this.#knownPages = isKnown ? Math.max(0, this.#knownPages + 1 - inserted) : 0;
    if (this.#knownPages > mostKnownPages)
      throw new ReplyError(200, this.#call, 'a list that has the same records on many pages');
  }

  #forgetOldest(): void {
    const most = this.#repeatsAfterDeletion ? mostKeys.repeated : mostKeys.once;
    for (const key of this.#keys) {
      if (this.#keys.size <= most) return;
      this.#keys.delete(key);
      this.#isComplete = false;
    }
  }
}

/** Returns a short mark of a page of a list, so that the marks of all pages fit into memory. */
function markOf(records: readonly unknown[]): string {
  return `${records.length} ${keyOf(records[0])} ${keyOf(records.at(-1))}`;
}

/** Identifies a record by its ID, or by its whole content if it has no ID, as in some dictionaries. */
function keyOf(record: unknown): string {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : stringifyJson(record);
}
