import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert, type Slice, type RowWindow } from '../world/sql.ts';

export interface PhoneNumberRow {
  readonly id: number;
  readonly accountId: number;
  /** The extension that owns the number; null for a company number. */
  readonly extensionId: number | null;
  readonly phoneNumber: string;
  readonly usageType: string;
  readonly type: string;
  readonly paymentType: string;
  /** The features of the number, as a JSON list. */
  readonly features: string;
  readonly label: string | null;
}
export interface ForwardingNumberRow {
  readonly id: number;
  readonly extensionId: number;
  readonly phoneNumber: string;
  readonly label: string;
  /** The features of the forwarding number, as a JSON list. */
  readonly features: string;
  readonly flipNumber: string | null;
  readonly type: string;
  readonly isDefault: number;
}

/** Whether a number has a feature, such as `SmsSender`. */
export function hasFeature({ features }: { readonly features: string }, feature: string): boolean {
  return (JSON.parse(features) as string[]).includes(feature);
}

/** The accounts' telephone numbers, and the users' forwarding numbers. */
export class NumberStore {
  readonly #byNumber;
  readonly #direct;
  readonly #defaultForwarding;
  readonly #forwardingById;
  readonly #forwardingByNumber;
  readonly #count;
  readonly #page;
  readonly #forwardingCount;
  readonly #forwardingPage;
  readonly #add;
  readonly #addForwarding;

  constructor(db: Database) {
    const own =
      'FROM phoneNumber WHERE extensionId = :extensionId OR (extensionId IS NULL AND accountId = :accountId)';
    this.#byNumber = prepare<PhoneNumberRow>(
      db,
      'SELECT * FROM phoneNumber WHERE phoneNumber = :phoneNumber',
    );
    this.#direct = prepare<PhoneNumberRow>(
      db,
      'SELECT * FROM phoneNumber WHERE extensionId = :extensionId ORDER BY id LIMIT 1',
    );
    this.#defaultForwarding = prepare<ForwardingNumberRow>(
      db,
      'SELECT * FROM forwardingNumber WHERE extensionId = :extensionId AND isDefault = 1 ORDER BY id LIMIT 1',
    );
    this.#forwardingById = prepare<ForwardingNumberRow>(
      db,
      'SELECT * FROM forwardingNumber WHERE extensionId = :extensionId AND id = :id',
    );
    this.#forwardingByNumber = prepare<ForwardingNumberRow>(
      db,
      'SELECT * FROM forwardingNumber WHERE phoneNumber = :phoneNumber ORDER BY id LIMIT 1',
    );
    this.#count = prepare<{ n: number }>(db, `SELECT count(*) AS n ${own}`);
    this.#page = prepare<PhoneNumberRow>(db, `SELECT * ${own} ORDER BY id LIMIT :limit OFFSET :offset`);
    this.#forwardingCount = prepare<{ n: number }>(
      db,
      'SELECT count(*) AS n FROM forwardingNumber WHERE extensionId = :extensionId',
    );
    this.#forwardingPage = prepare<ForwardingNumberRow>(
      db,
      'SELECT * FROM forwardingNumber WHERE extensionId = :extensionId ORDER BY id LIMIT :limit OFFSET :offset',
    );
    this.#add = prepareInsert<PhoneNumberRow>(db, 'phoneNumber', [
      'id',
      'accountId',
      'extensionId',
      'phoneNumber',
      'usageType',
      'type',
      'paymentType',
      'features',
      'label',
    ]);
    this.#addForwarding = prepareInsert<ForwardingNumberRow>(db, 'forwardingNumber', [
      'id',
      'extensionId',
      'phoneNumber',
      'label',
      'features',
      'flipNumber',
      'type',
      'isDefault',
    ]);
  }

  byNumber(phoneNumber: string): PhoneNumberRow | undefined {
    return this.#byNumber.get({ phoneNumber });
  }

  /** Returns the first direct number of an extension. */
  direct(extensionId: number): PhoneNumberRow | undefined {
    return this.#direct.get({ extensionId });
  }

  /** Returns the default number of the first leg of a two-legged call. */
  defaultForwarding(extensionId: number): ForwardingNumberRow | undefined {
    return this.#defaultForwarding.get({ extensionId });
  }

  /** Returns a forwarding number of an extension, by ID. */
  forwardingById(extensionId: number, id: number): ForwardingNumberRow | undefined {
    return this.#forwardingById.get({ extensionId, id });
  }

  /** Returns the forwarding number of a user; undefined if the user forwards no calls to it. */
  forwardingByNumber(phoneNumber: string): ForwardingNumberRow | undefined {
    const row = this.#forwardingByNumber.get({ phoneNumber });
    return row && hasFeature(row, 'CallForwarding') ? row : undefined;
  }

  /** Returns the numbers of an extension and of the company. */
  list(extensionId: number, accountId: number, window: RowWindow): Slice<PhoneNumberRow> {
    return {
      rows: this.#page.all({ extensionId, accountId, ...window }),
      total: this.#count.get({ extensionId, accountId })?.n ?? 0,
    };
  }

  forwarding(extensionId: number, window: RowWindow): Slice<ForwardingNumberRow> {
    return {
      rows: this.#forwardingPage.all({ extensionId, ...window }),
      total: this.#forwardingCount.get({ extensionId })?.n ?? 0,
    };
  }

  add(row: PhoneNumberRow): void {
    this.#add.run(row);
  }

  addForwarding(row: ForwardingNumberRow): void {
    this.#addForwarding.run(row);
  }
}
