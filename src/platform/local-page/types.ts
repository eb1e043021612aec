/** The views that a local page can have. */
export type LocalView = 'live' | 'messages' | 'board' | 'calls' | 'queues' | 'service';

/** The parts of a local page that its server decides. */
export interface PageFacts {
  /** Title of the browser window. */
  readonly title: string;
  /** The profile, for the navigation; absent for the page of one receiver. */
  readonly profile?: string;
  /** The views, in the order of the navigation. */
  readonly views: readonly LocalView[];
  /** Whether the server has no route that changes anything. */
  readonly isReadOnly: boolean;
}
