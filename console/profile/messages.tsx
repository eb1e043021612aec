import { useEffect, useState } from 'preact/hooks';
import type {
  CopiedAttachment,
  CopiedConversation,
  CopiedConversations,
  CopiedMessage,
  CopiedThread,
} from '../../src/commands/console/types.ts';
import {
  ageText,
  briefText,
  countText,
  dayText,
  durationText,
  timeText,
  whenText,
  words,
} from '../format.ts';
import { Avatar, Badge, Command, Empty, Newest, Search, ViewHeader } from '../parts/basics.tsx';
import { Bubbles } from '../parts/bubbles.tsx';
import { perform } from '../parts/notice.tsx';
import { useOnce } from '../parts/once.ts';
import { DetailHeader, NoItem, Pane, Panes } from '../parts/panes.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';
import { hrefOf, route } from '../route.ts';
import { api, page } from './api.ts';
import { Failure } from './failure.tsx';
import { Reply } from './reply.tsx';
import { uncopiedOf, type SentMessage } from './sent.ts';

const rowHeight = 76;

/** Conversations of the local mailbox copy, or of the store, and the one that is open. */
export function MessagesView() {
  const [search, setSearch] = useState('');
  const [mailbox = '', id = ''] = route.value.rest;
  const query = useQuery(search, ['messages'], () => api.conversations(search));
  const { data, error } = query;
  // The address has the ID of a message, and the list that of the newest message.
  const address = `${mailbox} ${id}`;
  const [opened, setOpened] = useState({ address: '', place: '' });
  const isOpen = id !== '';
  return (
    <>
      <ViewHeader
        title="Messages"
        about={
          <>
            The local mailbox copy. Search with words, from:+1555, type:fax or after:7d.
            {data && <CopyAge of={data} />}
          </>
        }
      >
        <Search value={search} onChange={setSearch} label="Search messages" />
      </ViewHeader>
      <Failure error={error} />
      <Panes>
        <Pane kind="list" name="Conversations">
          <Waiting query={query} />
          {data?.conversations.length === 0 && (
            <Empty title={search === '' ? 'No messages yet' : 'No messages found'}>
              {search === '' && <Command>ucctl sync --media</Command>}
            </Empty>
          )}
          {data && data.conversations.length > 0 && (
            <>
              <p class="count quiet small">
                {countText(data.conversations.length)}
                {data.conversations.length === 1 ? ' conversation' : ' conversations'}
                {data.hasMore && ' of the newest messages. Search to find others.'}
              </p>
              <WindowedList
                label="Conversations"
                rows={data.conversations}
                rowHeight={rowHeight}
                keyOf={placeOf}
                isCurrent={(one) => opened.address === address && opened.place === placeOf(one)}
                draw={(one, isCurrent) => <ConversationRow one={one} isCurrent={isCurrent} />}
              />
            </>
          )}
        </Pane>
        <Pane kind="detail" name="Conversation">
          {isOpen ? (
            <Thread
              key={address}
              mailbox={mailbox}
              id={id}
              onOpen={(place) => setOpened({ address, place })}
            />
          ) : (
            <Empty title="No conversation selected">
              <p>Select a conversation to read its messages.</p>
            </Empty>
          )}
        </Pane>
      </Panes>
    </>
  );
}

/** Milliseconds after which a copy that no process updates may lack messages. */
const oldCopy = 15 * 60_000;

/** States how old the copy is: the page shows no newer messages. */
function CopyAge({ of: { copiedAt, oldestMailbox, oldestExtension } }: { readonly of: CopiedConversations }) {
  const receiving = useQuery('receiving', ['messages'], api.receiving);
  if (copiedAt === undefined) return null;
  const now = Date.now();
  const isOld = now - Date.parse(copiedAt) > oldCopy;
  const isCopying = receiving.data?.isCopying;
  // The running command may copy only other mailboxes.
  const isRunning = isCopying === true && !(isOld && oldestExtension !== undefined);
  const option = oldestExtension === undefined || isRunning ? '' : ` --extension ${oldestExtension}`;
  return (
    <span class={`copy-age ${isOld && isCopying === false ? 'warn-text' : ''}`}>
      {oldestMailbox !== undefined && `${oldestMailbox}: `}Copied {ageText(copiedAt, now)} ·{' '}
      <code>ucctl sync --watch{option}</code> {isRunning ? 'is running.' : 'keeps it up to date.'}
    </span>
  );
}

/** Identifies a conversation of all mailboxes. */
function placeOf({ mailbox, key }: Pick<CopiedThread, 'mailbox' | 'key'>): string {
  return `${mailbox} ${key}`;
}

function ConversationRow({
  one,
  isCurrent,
}: {
  readonly one: CopiedConversation;
  readonly isCurrent: boolean;
}) {
  const who = one.who === '' ? 'Unknown' : one.who;
  return (
    <a
      class="row thread"
      href={hrefOf('messages', one.mailbox, one.id)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Avatar name={who} />
      <span class="grow">
        <span class="line">
          <strong>{who}</strong>
          <time dateTime={one.time}>{briefText(one.time, Date.now())}</time>
        </span>
        <span class="line quiet">
          <span class="cut">{one.text ?? typeText(one.type)}</span>
          {one.isUnread && <Badge kind="accent">Unread</Badge>}
        </span>
        <span class="line quiet small">
          <span class="cut">
            {typeText(one.type)} · <bdi>{one.mailboxTitle}</bdi>
            {one.matches > 1 && `, ${countText(one.matches)} messages`}
          </span>
        </span>
      </span>
    </a>
  );
}

const types: Readonly<Record<string, string>> = {
  SMS: 'Text',
  Pager: 'Pager message',
  VoiceMail: 'Voicemail',
  Fax: 'Fax',
};

function typeText(type: string): string {
  return types[type] ?? words(type);
}

interface ThreadProps {
  readonly mailbox: string;
  /** ID of one of the messages. */
  readonly id: string;
  /** Receives the place of the conversation when it has been read. */
  readonly onOpen: (place: string) => void;
}

function Thread({ mailbox, id, onOpen }: ThreadProps) {
  const query = useQuery(`${mailbox} ${id}`, ['messages'], () => api.thread(mailbox, id));
  const { data, error } = query;
  const place = data && placeOf(data);
  useEffect(() => {
    if (place !== undefined) onOpen(place);
  }, [place]);
  if (!data)
    return (
      <NoItem view="messages">
        <Waiting query={query} />
        <Failure error={error} />
      </NoItem>
    );
  const uncopied = uncopiedOf(placeOf(data), data.messages);
  return (
    <>
      <DetailHeader view="messages">
        <div>
          <h2>{data.title}</h2>
          <p class="quiet">{data.mailboxTitle}</p>
        </div>
      </DetailHeader>
      {data.hasOlder && (
        <Newest shown={data.messages.length} what="messages">
          ucctl sync export writes all messages.
        </Newest>
      )}
      <Bubbles newest={newestOf(data.messages, uncopied)}>
        {data.messages.map((message, index) => (
          <Bubble key={message.id} message={message} isNewDay={isNewDay(message, data.messages[index - 1])} />
        ))}
        {uncopied.map((message) => (
          <UncopiedBubble key={message.id} message={message} />
        ))}
      </Bubbles>
      {data.reply !== undefined && !page().isReadOnly && (
        <Reply thread={data} id={id} place={placeOf(data)} />
      )}
    </>
  );
}

/** The newest message, as screen readers announce it. */
function newestOf(messages: readonly CopiedMessage[], uncopied: readonly SentMessage[]) {
  const sent = uncopied.at(-1);
  if (sent) return { id: sent.id, text: `Message from you, ${timeText(sent.at)}: ${sent.text}` };
  const last = messages.at(-1);
  if (!last) return undefined;
  const content = last.text === null || last.text === '' ? typeText(last.type) : last.text;
  const sender = last.isOwn ? 'you' : last.from;
  return { id: last.id, text: `Message from ${sender}, ${timeText(last.time)}: ${content}` };
}

function isNewDay(message: CopiedMessage, before: CopiedMessage | undefined): boolean {
  return before === undefined || dayText(before.time) !== dayText(message.time);
}

function Bubble({ message, isNewDay }: { readonly message: CopiedMessage; readonly isNewDay: boolean }) {
  const { direction, type, text, status } = message;
  return (
    <>
      {isNewDay && <li class="day">{dayText(message.time)}</li>}
      <li class={`bubble ${direction === 'Outbound' ? 'company' : 'outside'}`}>
        {type !== 'SMS' && <p class="kind">{typeText(type)}</p>}
        {text !== null && text !== '' && <p class="text">{text}</p>}
        {message.attachments.map((attachment, index) => (
          <Attachment key={attachment.path ?? index} attachment={attachment} message={message} />
        ))}
        <p class="meta">
          <bdi>{message.isOwn ? 'You' : message.from}</bdi> ·{' '}
          <time dateTime={message.time}>{timeText(message.time)}</time>
          {direction === 'Outbound' && status !== null && <span> · {words(status)}</span>}
          {message.isDeleted && <span> · Deleted on the service</span>}
        </p>
      </li>
    </>
  );
}

/** A sent message that the copy does not contain yet, so that nobody sends it again. */
function UncopiedBubble({ message: { text, at } }: { readonly message: SentMessage }) {
  return (
    <li class="bubble company">
      <p class="text">{text}</p>
      <p class="meta">Sent {whenText(at, Date.now())}, not copied yet</p>
    </li>
  );
}

interface AttachmentProps {
  readonly attachment: CopiedAttachment;
  readonly message: CopiedMessage;
}

/** A player for audio and a button that saves other files. The content is requested when the user asks for it. */
function Attachment({ attachment, message }: AttachmentProps) {
  const { path, contentType, seconds } = attachment;
  const [url, setUrl] = useState<string>();
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const once = useOnce();
  const length = seconds === undefined ? '' : `, ${durationText(seconds)}`;
  if (path === undefined)
    return (
      <p class="quiet small">
        {contentType}
        {length}: not copied. Run ucctl sync --media.
      </p>
    );
  const isAudio = contentType.startsWith('audio/');
  if (isAudio && url !== undefined)
    return <audio controls autoPlay src={url} aria-label={`${typeText(message.type)}${length}`} />;
  const open = async (): Promise<void> => {
    const content = await perform(() => api.content(path));
    if (!content) return;
    if (isAudio) setUrl(URL.createObjectURL(content));
    else save(content, attachment.fileName ?? `${message.type.toLowerCase()}-${message.id}`);
  };
  return (
    <button type="button" onClick={(event) => void once(open, event)}>
      {isAudio ? `Play${length}` : `Save ${attachment.fileName ?? typeText(message.type)}`}
    </button>
  );
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
