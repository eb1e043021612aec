import { setMaxListeners } from 'node:events';
import { CommandError, Exit } from '../../errors/command.ts';
import { isRefusedWith } from '../../errors/service.ts';
import { parseContentRange } from './content-range.ts';
import type { Fetched, FetchOptions } from './fetch-options.ts';
import type { PartFile, Segment } from './part-file.ts';
import { isOtherKind, isPageInstead, sniff, sniffBytes } from './sniff.ts';
import {
  openSegment,
  readSegment,
  refusePage,
  unknownContent,
  type Content,
  type Judged,
} from './transfer.ts';
import { badReply, isBroken, notMedia, Restart, writeFailure } from './trouble.ts';

/** From this size on a file is read by several connections. */
const splitBytes = 32 * 1024 * 1024;
/** An unfinished file is noted down each time so much has come. */
const noteBytes = 64 * 1024 * 1024;
const mostRestarts = 3;
/** Broken connections in a row that brought nothing. */
const mostFruitless = 5;

/** One file on its way: its segments, each over a connection of its own, into one unfinished file. */
export class FetchJob {
  readonly #options: FetchOptions;
  readonly #file: string;
  readonly #part: PartFile;
  #content: Content = unknownContent();
  #segments: Segment[] = [{ first: 0, next: 0, last: undefined }];
  #isResumed = false;
  #unsaved = 0;
  #saving: Promise<void> = Promise.resolve();
  #warnings: string[] = [];

  constructor(options: FetchOptions, file: string, part: PartFile) {
    this.#options = options;
    this.#file = file;
    this.#part = part;
  }

  /** Goes on where an earlier run ended. */
  resume(segments: readonly Segment[], known: Pick<Content, 'validator' | 'contentType' | 'total'>): void {
    this.#segments = segments.map((segment) => ({ ...segment }));
    this.#content = { ...unknownContent(), ...known, isLengthKnown: true };
    this.#isResumed = true;
    // All came, and only the name is missing: one byte is asked for again, which tells whether it is still the same content.
    const [only] = this.#segments;
    const { total } = known;
    if (this.#segments.every(isFull) && only && total !== undefined && total > 0) {
      const tail = this.#segments.reduce((a, b) => ((b.last ?? 0) > (a.last ?? 0) ? b : a));
      tail.next = total - 1;
    }
  }

  /** Reads all that is missing; starts anew when the content has changed. @throws as `fetchFile`. */
  async run(): Promise<void> {
    for (let restarts = 0; ; restarts += 1) {
      try {
        await this.#runSegments();
        return;
      } catch (error) {
        if (!(error instanceof Restart)) throw error;
        if (restarts === mostRestarts) {
          if (error.cause !== undefined) throw cutError(error.cause, this.#file, false);
          throw new CommandError('changing', Exit.failed, `no part fits the other: ${error.message}`, {
            hint: 'try again when the content no longer changes; nothing was kept of it',
            retryable: true,
          });
        }
        await this.#restart();
      }
    }
  }

  async #restart(): Promise<void> {
    await this.#part.clear();
    this.#content = unknownContent();
    this.#segments = [{ first: 0, next: 0, last: undefined }];
    this.#isResumed = false;
  }

  /** All missing segments beside each other; the first that fails for good ends the others. */
  async #runSegments(): Promise<void> {
    const others = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, others.signal]);
    // Each connection listens to it.
    setMaxListeners(0, signal);
    let failure: { readonly error: unknown } | undefined;
    const runs: Promise<void>[] = [];
    const start = (segment: Segment, judged?: Judged): void => {
      runs.push(
        this.#runSegment(segment, signal, judged).catch((error: unknown) => {
          failure ??= { error };
          others.abort();
        }),
      );
    };
    const [first] = this.#segments;
    const isNew = this.#segments.length === 1 && first?.next === 0;
    if (isNew && first) {
      const judged = await openSegment(this.#options.open, this.#content, first, signal);
      refusePage(this.#content, this.#options.expectedType);
      this.#split(first);
      start(first, judged);
      for (const segment of this.#segments.slice(1)) start(segment);
    } else {
      for (const segment of this.#segments.filter((one) => !isFull(one))) start(segment);
    }
    await Promise.all(runs);
    if (failure) throw failure.error;
  }

  /** A large file goes to several connections, each with a stretch of its own: few requests, since they count in the rate limit. */
  #split(first: Segment): void {
    const { total, takesRanges, validator } = this.#content;
    if (total === undefined) return;
    first.last = total - 1;
    const count = Math.min(this.#options.connections, Math.ceil(total / (splitBytes / 4)));
    if (!takesRanges || validator === undefined || total < splitBytes || count < 2) return;
    const size = Math.ceil(total / count);
    this.#segments = Array.from({ length: count }, (_, index) => ({
      first: index * size,
      next: index * size,
      last: Math.min(total, (index + 1) * size) - 1,
    }));
    const [head] = this.#segments;
    if (!head) return;
    first.last = head.last;
    this.#segments[0] = first;
  }

  /** Until the segment is full: each answer may bring a part of it, and broken connections are carried on. */
  async #runSegment(segment: Segment, signal: AbortSignal, opened?: Judged): Promise<void> {
    let waiting = opened;
    let broken: unknown;
    for (let fruitless = 0; fruitless < mostFruitless;) {
      const before = segment.next;
      broken = undefined;
      try {
        const judged = waiting ?? (await openSegment(this.#options.open, this.#content, segment, signal));
        waiting = undefined;
        await readSegment(judged, this.#content, segment, this.#part, (count) => this.#count(count));
        if (this.#isRead(segment)) return;
      } catch (error) {
        if (isComplete(error, segment)) return;
        if (isRangeRefused(error)) throw new Restart('the part that is there does not fit any more');
        if (signal.aborted || !isBroken(error)) throw error;
        this.#requireContinuable(segment, error);
        broken = error;
      }
      waiting = undefined;
      fruitless = segment.next > before ? 0 : fruitless + 1;
      if (broken !== undefined && fruitless > 0) await this.#options.sleep(250 * 2 ** fruitless);
    }
    throw broken === undefined
      ? badReply('with nothing of what was asked for')
      : cutError(broken, this.#file, this.#isContinuable);
  }

  /** Whether a segment is at its end after a reply; the length of the content may be known only now. */
  #isRead(segment: Segment): boolean {
    const { total } = this.#content;
    if (segment.last === undefined && total !== undefined) segment.last = total - 1;
    return segment.last === undefined || isFull(segment);
  }

  /** @throws {Restart} when what came before a connection broke cannot be continued. */
  #requireContinuable({ first, next }: Segment, error: unknown): void {
    if (this.#content.isPacked) throw new Restart('a packed content cannot be carried on');
    if (this.#content.validator !== undefined || next === first) return;
    // Nothing proves that the rest of the next reply belongs to the same content.
    throw new Restart('the connection broke, and no strong validator allows a part to be continued', error);
  }

  /** Whether a later run may go on from here. */
  get #isContinuable(): boolean {
    return !this.#content.isPacked && this.#content.validator !== undefined;
  }

  #held(): number {
    return this.#segments.reduce((sum, { first, next }) => sum + next - first, 0);
  }

  #count(count: number): void {
    this.#options.onBytes?.(count, { received: this.#held(), total: this.#content.total });
    this.#unsaved += count;
    if (this.#unsaved < noteBytes || !this.#isContinuable) return;
    this.#unsaved = 0;
    this.#saving = this.#saving.then(() => this.#part.save(this.#notes())).catch(() => undefined);
  }

  #notes() {
    const { validator, contentType, total } = this.#content;
    return { validator, contentType, total, segments: this.#segments.map((segment) => ({ ...segment })) };
  }

  /** Judges the whole file and gives it its name. */
  async finish(): Promise<Fetched> {
    const { expectedType, wantsChecksum, existing } = this.#options;
    await this.#saving;
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

  /** @throws {CommandError} `bad_reply` when other bytes came than were announced. */
  #checkLength(bytes: number): void {
    const { expectedSize } = this.#options;
    const { total, isLengthKnown } = this.#content;
    const isWhole = this.#segments.every((segment) => segment.last === undefined || isFull(segment));
    if (!isWhole || (total !== undefined && bytes !== total)) throw badReply('with less than it announced');
    if (!isLengthKnown && expectedSize !== undefined && expectedSize !== bytes) {
      throw badReply(`with ${bytes} bytes and no length, instead of ${expectedSize} bytes`);
    }
  }

  /** By the first bytes. @throws {CommandError} `not_media` when a page came in place of a file. */
  async #checkKind(): Promise<void> {
    const type = this.#options.expectedType ?? this.#content.contentType;
    const found = sniff(await this.#part.read(0, sniffBytes));
    if (isPageInstead(type, found)) throw notMedia(found);
    if (isOtherKind(type, found)) {
      this.#warnings.push(`${this.#file}: it is ${found} by its first bytes, not ${type}`);
    }
  }

  #warnOfUnknownLength(): void {
    if (this.#content.isLengthKnown || this.#options.expectedSize !== undefined) return;
    this.#warnings.push(
      `${this.#file}: the service did not tell its length; whether it is whole is not known`,
    );
  }

  /** Keeps what can be carried on, removes the rest, and says what went wrong. */
  async giveUp(error: unknown): Promise<unknown> {
    await this.#saving;
    const code = error instanceof CommandError ? error.code : undefined;
    const isUseless = ['not_media', 'bad_reply', 'changing', 'exists'].includes(code ?? '');
    const held = this.#part.isLost ? 0 : this.#held();
    const { total } = this.#content;
    const isKept = !isUseless && this.#isContinuable && held > 0;
    const missing = total === undefined ? undefined : total - held;
    try {
      if (isKept) await this.#part.save(this.#notes());
      else await this.#part.discard();
    } catch {
      // On a full disk the notes find no room either: the first failure is the one to tell.
    }
    return writeFailure(error, this.#file, missing, isKept);
  }
}

function isFull({ next, last }: Segment): boolean {
  return last !== undefined && next > last;
}

function isRangeRefused(error: unknown): boolean {
  return isRefusedWith(error, 416);
}

/** A 416 whose size is exactly what is there: nothing was missing (reliability notes, section 7). */
function isComplete(error: unknown, segment: Segment): boolean {
  if (!isRangeRefused(error) || segment.next === 0) return false;
  const range = parseContentRange((error as { readonly contentRange?: string }).contentRange);
  return range?.total === segment.next && (segment.last === undefined || isFull(segment));
}

function cutError(error: unknown, file: string, isKept: boolean): CommandError {
  return new CommandError(
    'cut',
    Exit.network,
    `the connection broke again and again while ${file} was read`,
    {
      hint: isKept
        ? 'what came is kept; run it again with --continue'
        : 'run it again; nothing was kept, because the service gives no strong validator (ETag) for this file',
      retryable: true,
      cause: error,
    },
  );
}
