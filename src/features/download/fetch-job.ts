import { CommandError, Exit } from '../../errors/command.ts';
import { eitherSignal } from '../../platform/either-signal.ts';
import type { Fetched, FetchOptions } from './fetch-options.ts';
import type { PartFile } from './part-file.ts';
import type { PartProgress, Segment } from './part-notes.ts';
import { readSegment } from './read-segment.ts';
import { isComplete, isFull, isRangeRejected, receivedBytes, splitLargeFile } from './segments.ts';
import { StateRecorder } from './state-recorder.ts';
import { isOtherKind, isPageInstead, sniff, sniffBytes } from './sniff.ts';
import { openSegment, rejectPage, unknownContent, type Content, type CheckedReply } from './transfer.ts';
import {
  badReply,
  cutError,
  emptyWarning,
  isBroken,
  notMedia,
  otherSize,
  Restart,
  shorterWarning,
  writeFailure,
} from './download-failure.ts';

const mostRestarts = 3;
/** The longest wait between two connections, as a power of two of `firstWaitMilliseconds`. */
const mostDoublings = 5;
const firstWaitMilliseconds = 250;

/** The download of one file into one partial file. Each segment of the file has its own connection. */
export class FetchJob {
  readonly #options: FetchOptions;
  readonly #file: string;
  readonly #part: PartFile;
  #content: Content = unknownContent();
  #segments: Segment[] = [{ first: 0, next: 0, last: undefined }];
  #isResumed = false;
  /** Maximum number of connections. */
  #connections: number;
  readonly #recorder: StateRecorder;
  #warnings: string[] = [];

  constructor(options: FetchOptions, file: string, part: PartFile) {
    this.#options = options;
    this.#connections = options.connections;
    this.#file = file;
    this.#part = part;
    this.#recorder = new StateRecorder(
      part,
      () => (this.#isResumable ? this.#progress() : undefined),
      () => options.elapsed(),
    );
  }

  /** Resumes from the state that an earlier run recorded. */
  resume(segments: readonly Segment[], known: Pick<Content, 'validator' | 'contentType' | 'total'>): void {
    this.#segments = segments.map((segment) => ({ ...segment }));
    this.#content = { ...unknownContent(), ...known, isLengthKnown: true };
    this.#isResumed = true;
    // All bytes are stored and only the rename is missing. The last byte is requested again to check that
    // the content has not changed.
    const [only] = this.#segments;
    const { total } = known;
    if (this.#segments.every(isFull) && only && total !== undefined && total > 0) {
      const tail = this.#segments.reduce((a, b) => ((b.last ?? 0) > (a.last ?? 0) ? b : a));
      tail.next = total - 1;
    }
  }

  /** Downloads all missing bytes; starts again if the content has changed. @throws the errors of `fetchFile`. */
  async run(): Promise<void> {
    for (let restarts = 0; ; restarts += 1) {
      try {
        await this.#runSegments();
        return;
      } catch (error) {
        if (!(error instanceof Restart)) throw error;
        const { cause, why } = error;
        // The server sent other bytes than the range of each connection.
        if (why === 'noRanges') this.#connections = 1;
        // A restart after a lost connection counts as a retry. A restart after a change of the content does
        // not.
        const most = cause === undefined ? mostRestarts : Math.min(mostRestarts, this.#options.retries);
        if (restarts >= most) {
          if (why !== undefined) {
            await this.#restart();
            throw cutError(cause ?? error, this.#file, why, restarts + 1);
          }
          throw new CommandError(
            'changing',
            Exit.failed,
            `the content changed repeatedly during the download: ${error.message}`,
            {
              hint: 'retry when the content is stable; no partial file was stored',
              retryable: true,
            },
          );
        }
        await this.#restart();
      }
    }
  }

  async #restart(): Promise<void> {
    await this.#recorder.settled();
    await this.#part.clear();
    this.#content = unknownContent();
    this.#segments = [{ first: 0, next: 0, last: undefined }];
    this.#isResumed = false;
  }

  /** Downloads all missing segments at the same time; the first permanent failure stops the others. */
  async #runSegments(): Promise<void> {
    const others = new AbortController();
    const { signal, end } = eitherSignal(this.#options.signal, others.signal);
    try {
      await this.#connect(signal, () => others.abort());
    } finally {
      end();
    }
  }

  /** Opens a connection for each missing segment. @param onFailure called if the others must stop. */
  async #connect(signal: AbortSignal, onFailure: () => void): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    const runs: Promise<void>[] = [];
    const start = (segment: Segment, checked?: CheckedReply): void => {
      runs.push(
        this.#runSegment(segment, signal, checked).catch((error: unknown) => {
          failure ??= { error };
          onFailure();
        }),
      );
    };
    const [first] = this.#segments;
    const isNew = this.#segments.length === 1 && first?.next === 0;
    if (isNew && first) {
      const checked = await openSegment(this.#options.open, this.#content, first, signal);
      const { expectedType, mayBeJson = false } = this.#options;
      await rejectPage(checked, this.#content, expectedType, mayBeJson);
      this.#segments = splitLargeFile(first, this.#content, this.#connections);
      start(first, checked);
      for (const segment of this.#segments.slice(1)) start(segment);
    } else {
      for (const segment of this.#segments.filter((one) => !isFull(one))) start(segment);
    }
    await Promise.all(runs);
    if (failure) throw failure.error;
  }

  /** Downloads a segment. Each reply may contain a part of the segment, and lost connections are resumed. */
  async #runSegment(segment: Segment, signal: AbortSignal, opened?: CheckedReply): Promise<void> {
    const { retries } = this.#options;
    let next = opened;
    let broken: unknown;
    for (let failures = 0; ;) {
      const before = segment.next;
      const brokenBefore = broken;
      broken = undefined;
      try {
        const checked = next ?? (await openSegment(this.#options.open, this.#content, segment, signal));
        next = undefined;
        await readSegment(checked, this.#content, segment, this.#part, (count) => this.#count(count));
        if (this.#isRead(segment)) return;
        if (segment.next === before) await this.#requestEnd(segment, signal);
      } catch (error) {
        if (isComplete(error, segment, this.#content)) {
          this.#content.isLengthKnown = true;
          return;
        }
        if (signal.aborted || !isBroken(error)) throw restartOf(error, brokenBefore);
        this.#requireResumable(segment, error);
        broken = error;
      }
      next = undefined;
      const hasProgress = segment.next > before;
      // A reply with a part of the requested range is not a failure, so the next request is not a retry.
      if (hasProgress) failures = 0;
      if (!hasProgress || broken !== undefined) failures += 1;
      if (failures > retries) throw this.#endOfRetries(broken, failures);
      if (broken !== undefined && !hasProgress)
        await this.#options.sleep(firstWaitMilliseconds * 2 ** Math.min(failures, mostDoublings));
    }
  }

  /** Returns the error after the last retry of a segment; `broken` is the lost connection, if any. */
  #endOfRetries(broken: unknown, failures: number): CommandError {
    if (broken === undefined) return badReply('without any of the requested bytes');
    const isEmpty = this.#received() === 0;
    const noStored = isEmpty ? 'empty' : 'noValidator';
    return cutError(broken, this.#file, this.#isResumable && !isEmpty ? 'stored' : noStored, failures);
  }

  /** Whether a segment is complete. The reply may be the first reply with the length of the content. */
  #isRead(segment: Segment): boolean {
    const { total } = this.#content;
    if (segment.last === undefined && total !== undefined) segment.last = total - 1;
    return segment.last === undefined ? !this.#content.isOpenEnded : isFull(segment);
  }

  /**
   * Requests the bytes after the received ones if the content may end there. Without a validator, each other request
   * repeats the last bytes, so the server does not reply with 416. Bytes in the reply could not be compared, so they are
   * not read. @throws {ApiError} 416 at the end of the content.
   */
  async #requestEnd({ next }: Segment, signal: AbortSignal): Promise<void> {
    if (!this.#content.isOpenEnded || this.#content.validator !== undefined) return;
    const reply = await this.#options.open({ first: next }, undefined, signal);
    await reply.discard();
  }

  /** Checks that the bytes before a lost connection can be resumed. @throws {Restart} if they cannot. */
  #requireResumable({ first, next }: Segment, error: unknown): void {
    if (this.#content.isCompressed)
      throw new Restart('a compressed download cannot be resumed', 'noRanges', error);
    if (this.#content.validator !== undefined || next === first) return;
    // Without a validator, nothing proves that the next reply has the same content.
    throw new Restart(
      'the connection was lost, and the download cannot be resumed because the service sent no strong validator',
      'noValidator',
      error,
    );
  }

  /** Whether a later run can resume the partial file. */
  get #isResumable(): boolean {
    return !this.#content.isCompressed && this.#content.validator !== undefined;
  }

  #received(): number {
    return receivedBytes(this.#segments);
  }

  #count(count: number): void {
    this.#options.onBytes?.(count, { received: this.#received(), total: this.#content.total });
    this.#recorder.count(count);
  }

  #progress(): PartProgress {
    const { validator, contentType, total } = this.#content;
    return { validator, contentType, total, segments: this.#segments.map((segment) => ({ ...segment })) };
  }

  /** Checks the complete file and gives it its final name. */
  async finish(): Promise<Fetched> {
    const { expectedType, wantsChecksum, existing } = this.#options;
    await this.#recorder.settled();
    const bytes = Math.max(...this.#segments.map(({ next }) => next));
    this.#checkLength(bytes);
    await this.#checkKind();
    this.#warnOfUnknownLength();
    const sha256 = wantsChecksum ? await this.#part.sha256() : undefined;
    await this.#part.finish(bytes, existing === 'clobber');
    return {
      status: this.#isResumed ? 'resumed' : 'downloaded',
      file: this.#file,
      bytes,
      contentType: this.#content.contentType ?? expectedType,
      sha256,
      warnings: this.#warnings,
    };
  }

  /** Compares the received length with the announced length. @throws {CommandError} `bad_reply` if they differ. */
  #checkLength(bytes: number): void {
    const { expectedSize } = this.#options;
    const { total, isLengthKnown } = this.#content;
    const isWhole = this.#segments.every((segment) => segment.last === undefined || isFull(segment));
    if (!isWhole || (total !== undefined && bytes !== total))
      throw badReply('with fewer bytes than announced');
    if (expectedSize === undefined) {
      if (bytes === 0) this.#warnings.push(emptyWarning);
      return;
    }
    // A service may announce the length of an empty reply, too.
    const needsSize = !isLengthKnown || bytes === 0;
    if (needsSize && bytes !== expectedSize) throw otherSize(bytes, expectedSize);
    if (bytes < expectedSize) this.#warnings.push(shorterWarning(bytes, expectedSize));
  }

  /**
   * Checks the kind of the file by its first bytes. @throws {CommandError} `not_media` for a page instead of a file.
   */
  async #checkKind(): Promise<void> {
    const { expectedType, mayBeJson = false } = this.#options;
    const type = expectedType ?? this.#content.contentType;
    const head = await this.#part.read(0, sniffBytes);
    const found = sniff(head);
    if (isPageInstead(type, head, mayBeJson)) throw notMedia(found);
    if (isOtherKind(type, found)) {
      this.#warnings.push(`the content is ${found}, not ${type}`);
    }
  }

  #warnOfUnknownLength(): void {
    const isReported = this.#warnings.includes(emptyWarning);
    if (this.#content.isLengthKnown || this.#options.expectedSize !== undefined || isReported) return;
    this.#warnings.push('the service sent no length, so ucctl cannot check that the file is complete');
  }

  /** Stores a partial file if it can be resumed, otherwise removes it. Returns the error to throw. */
  async giveUp(error: unknown): Promise<unknown> {
    await this.#recorder.settled();
    const code = error instanceof CommandError ? error.code : undefined;
    const isUseless = ['not_media', 'bad_reply', 'changing', 'exists', 'busy'].includes(code ?? '');
    const isStored = !isUseless && (await this.#recorder.store(this.#segments));
    if (isStored) this.#options.onStored?.();
    try {
      if (!isStored) await this.#part.discard();
    } catch {
      // Only the first failure is reported.
    }
    const received = isStored ? this.#received() : 0;
    const { total } = this.#content;
    const missing = total === undefined ? undefined : total - received;
    return writeFailure(error, this.#file, missing, isStored);
  }
}

/**
 * Converts a rejected range, or a reply that does not continue the range, to `Restart`. Returns any other error
 * unchanged. `broken` is the connection that was lost before.
 */
function restartOf(error: unknown, broken: unknown): unknown {
  if (isRangeRejected(error)) return new Restart('the partial file no longer matches the content');
  const isUnable = error instanceof Restart && error.why !== undefined;
  return isUnable ? new Restart(error.message, error.why, broken) : error;
}
