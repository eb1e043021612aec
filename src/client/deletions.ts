import type { List } from '../contract/common.ts';
import { ReplyError } from '../errors/service.ts';
import type { Call } from './call.ts';

/** Maximum number of times that pages of a list are read again. */
const mostReturns = 20;

/**
 * Finds pages before which records were deleted. A record that is deleted between two pages moves the later records
 * forward, so that some of them are on no page that is read. A lower total than that of the previous page shows such a
 * deletion.
 */
export class Deletions {
  readonly #call: Call;
  readonly #isActive: boolean;
  #total: number | undefined;
  #returns = 0;

  /** @param isActive whether pages are read again at all */
  constructor(call: Call, isActive = false) {
    this.#call = call;
    this.#isActive = isActive;
  }

  /**
   * Returns the earlier page from which the list must be read again; undefined if no record can be missing before this
   * page.
   * @param received number of records in the replies before this page. It shows the page size: a service may reduce the
   * requested size without naming it.
   * @throws {ReplyError} if records were deleted during each of many readings.
   */
  pageBefore({ paging }: List<unknown>, page: number, received: number): number | undefined {
    const total = paging?.totalElements;
    const deleted = total === undefined || this.#total === undefined ? 0 : this.#total - total;
    this.#total = total;
    if (!this.#isActive || deleted <= 0 || page === 1) return undefined;
    this.#returns += 1;
    if (this.#returns > mostReturns)
      throw new ReplyError(200, this.#call, 'a list from which records are deleted all the time', {
        hint: 'run the command again when no other program deletes these records',
      });
    const pageSize = received / (page - 1);
    return Math.max(1, page - Math.ceil(deleted / pageSize));
  }
}
