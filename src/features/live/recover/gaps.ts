import type { Notification } from '../../../contract/subscription.ts';
import { counted } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import { Recovery, type RecoverySettings } from './recovery.ts';
import type { Gap } from '../subscription/renew.ts';

/** Deliveries that waited while this machine slept come in before what is missing is looked for. */
const settleMilliseconds = 2000;

/** Has what was missed found, one gap after the other, and says what was found. Its failures are warnings: events go on arriving. */
export class Gaps {
  readonly #ctx: Context;
  readonly #signal: AbortSignal;
  readonly #recovery: Recovery;
  #filling: Promise<void> = Promise.resolve();

  /** @param filters those in effect, with ids of extensions. */
  constructor(ctx: Context, filters: readonly string[], settings: RecoverySettings) {
    this.#ctx = ctx;
    this.#signal = settings.signal;
    this.#recovery = new Recovery(filters, settings);
  }

  /** Fills what was missed since the run before when `recover`, and notes where the mailboxes stand. */
  catchUp(recover: boolean): Promise<void> {
    this.#filling = this.#catchUpAfter(this.#filling, recover);
    return this.#filling;
  }

  async #catchUpAfter(before: Promise<void>, recover: boolean): Promise<void> {
    await before;
    try {
      const isResumed = recover && this.#recovery.hasPoints();
      if (isResumed) {
        const found = await this.#recovery.messages();
        if (found > 0) this.#ctx.out.note(`${counted(found, 'message')} since the last run filled in`);
      }
      await this.#recovery.begin(!isResumed);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#ctx.out.warn(`what was missed cannot be found later: ${messageOf(error)}`);
    }
  }

  /** In the background. */
  fill(gap: Gap): void {
    this.#filling = this.#fillAfter(this.#filling, gap);
  }

  /** Resolves when every gap reported so far has been searched. */
  settled(): Promise<void> {
    return this.#filling;
  }

  /** Whether a notification tells only of messages that were filled in already: it came late. */
  isLate(notification: Notification): boolean {
    return this.#recovery.isLate(notification);
  }

  async #fillAfter(before: Promise<void>, gap: Gap): Promise<void> {
    await before;
    const between = `${new Date(gap.from).toISOString()} and ${new Date(gap.to).toISOString()}`;
    try {
      await this.#ctx.sleep(settleMilliseconds, this.#signal);
      const { messages, snapshots, lost } = await this.#recovery.fill(gap);
      const found = [
        `${counted(messages, 'message')} filled in`,
        ...(snapshots > 0 ? [`presence of ${snapshots} read again`] : []),
      ];
      this.#ctx.out.warn(`${gap.reason} between ${between}: ${found.join(', ')}`);
      if (lost.length > 0)
        this.#ctx.out.warn(`events that cannot be recovered for that time: ${lost.join(', ')}`);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#ctx.out.warn(`the time between ${between} could not be looked through: ${messageOf(error)}`);
    }
  }
}
