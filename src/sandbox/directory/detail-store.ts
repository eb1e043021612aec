import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareCached, prepareInsert } from '../world/sql.ts';

/** Members of an extension that few extensions have. */
export interface DetailRow {
  readonly extensionId: number;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly department: string | null;
  readonly businessPhone: string | null;
  readonly mobilePhone: string | null;
  readonly siteId: string | null;
}

export interface SiteRow {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
}

/** Contact details and sites of extensions. */
export class DetailStore {
  readonly #byId;
  readonly #between;
  readonly #save;
  readonly #site;
  readonly #addSite;

  constructor(db: Database) {
    this.#byId = prepareCached<DetailRow>(
      db,
      'extensionDetail',
      'SELECT * FROM extensionDetail WHERE extensionId = :extensionId',
    );
    this.#between = prepare<DetailRow>(
      db,
      'SELECT * FROM extensionDetail WHERE extensionId BETWEEN :first AND :last',
    );
    this.#save = prepareInsert<DetailRow>(
      db,
      'extensionDetail',
      ['extensionId', 'company', 'jobTitle', 'department', 'businessPhone', 'mobilePhone', 'siteId'],
      'REPLACE',
    );
    this.#site = prepareCached<SiteRow>(db, 'site', 'SELECT * FROM site WHERE id = :id');
    this.#addSite = prepareInsert<SiteRow>(db, 'site', ['id', 'accountId', 'name']);
  }

  /** Returns the details of an extension. Without a row, all details are absent. */
  of(extensionId: number): DetailRow {
    return this.#byId(extensionId) ?? { extensionId, ...noDetails };
  }

  /** Returns a function like `of` for extensions of a list in the order of their IDs, whose details are read at once. */
  ofAll(extensions: readonly { readonly id: number }[]): (extensionId: number) => DetailRow {
    const [first, last] = [extensions[0]?.id ?? 0, extensions.at(-1)?.id ?? 0];
    const found = new Map(this.#between.all({ first, last }).map((row) => [row.extensionId, row]));
    return (extensionId) => found.get(extensionId) ?? { extensionId, ...noDetails };
  }

  save(row: DetailRow): void {
    this.#save.run(row);
  }

  site(id: string): SiteRow | undefined {
    return this.#site(id);
  }

  addSite(row: SiteRow): void {
    this.#addSite.run(row);
  }
}

/** The site of extensions that have no other site. */
export const mainSiteId = 'main-site';

const noDetails = {
  company: null,
  jobTitle: null,
  department: null,
  businessPhone: null,
  mobilePhone: null,
  siteId: null,
} satisfies Omit<DetailRow, 'extensionId'>;
