import { useState } from 'preact/hooks';
import type {
  ConversationView,
  MessageView,
  ThreadPage,
  ThreadView,
} from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { sandboxNow } from '../clock.ts';
import { briefText, countText, dayText, durationText, timeText, words } from '../format.ts';
import { Avatar, Badge, Empty, Newest, Problem, Search, ViewHeader } from '../parts/basics.tsx';
import { Bubbles } from '../parts/bubbles.tsx';
import { DetailHeader, NoItem, Pane, Panes } from '../parts/panes.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';
import { hrefOf, route } from '../route.ts';
import { Composer, NewMessage, newThread } from './compose.tsx';

const rowHeight = 76;
/** Number of conversations in the list; a search also finds older conversations. */
const mostThreads = 300;
/** Number of messages of the open conversation. */
const mostMessages = 500;

/** Conversations of all mailboxes, and the one that is open. */
export function MessagesView() {
  const [search, setSearch] = useState('');
  const [first = '', key = ''] = route.value.rest;
  const query = useQuery(search, ['messages'], () => api.threads({ search, limit: mostThreads }));
  const { data, problem } = query;
  const isOpen = first !== '';
  return (
    <>
      <ViewHeader
        title="Messages"
        about="Texts, voicemails, faxes and pager messages of every mailbox, as conversations."
      >
        <Search value={search} onChange={setSearch} label="Search messages" />
        <a class="button primary" href={hrefOf('messages', newThread)}>
          New message
        </a>
      </ViewHeader>
      <Problem text={problem} />
      <Panes>
        <Pane kind="list" name="Conversations">
          <Waiting query={query} />
          {data?.records.length === 0 ? (
            <Empty title={search === '' ? 'No messages yet' : 'No messages found'}>
              <p>
                {search === ''
                  ? 'To write to the company from an outside number, choose “New message”.'
                  : `No message contains “${search}”.`}
              </p>
            </Empty>
          ) : (
            <>
              {data && <p class="count quiet small">{countOf(data)}</p>}
              <WindowedList
                label="Conversations"
                rows={data?.records ?? []}
                rowHeight={rowHeight}
                keyOf={(thread) => `${thread.extensionId} ${thread.key}`}
                isCurrent={(thread) => thread.extensionId === first && thread.key === key}
                draw={(thread, isCurrent) => <ThreadRow thread={thread} isCurrent={isCurrent} />}
              />
            </>
          )}
        </Pane>
        <Pane kind="detail" name="Conversation">
          {first === newThread && <NewMessage />}
          {first !== newThread && isOpen && (
            <Conversation key={`${first} ${key}`} extensionId={first} threadKey={key} />
          )}
          {!isOpen && (
            <Empty title="No conversation selected">
              <p>Select a conversation, or write a new message.</p>
            </Empty>
          )}
        </Pane>
      </Panes>
    </>
  );
}

/** Number of the listed conversations, and whether there are others. */
function countOf({ records, total, hasOlder }: ThreadPage): string {
  const all = `${countText(total)} ${total === 1 ? 'conversation' : 'conversations'}`;
  const listed = records.length < total ? `Newest ${countText(records.length)} of ${all}` : all;
  if (hasOlder) return `${listed} of the newest messages. Search to find others.`;
  return records.length < total ? `${listed}. Search to find others.` : listed;
}

function nameOf({
  peerName,
  peerNumber,
}: {
  readonly peerName?: string;
  readonly peerNumber?: string;
}): string {
  return peerName ?? peerNumber ?? 'Unknown';
}

function ThreadRow({ thread, isCurrent }: { readonly thread: ThreadView; readonly isCurrent: boolean }) {
  const now = sandboxNow.value ?? Date.now();
  return (
    <a
      class="row thread"
      href={hrefOf('messages', thread.extensionId, thread.key)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Avatar name={thread.owner} />
      <span class="grow">
        <span class="line">
          <strong>{nameOf(thread)}</strong>
          <time dateTime={thread.last.time}>{briefText(thread.last.time, now)}</time>
        </span>
        <span class="line quiet">
          <span class="cut">{summaryOf(thread.last)}</span>
          {thread.unread > 0 && (
            <Badge kind="accent">
              {thread.unread}
              <span class="hidden-text"> unread</span>
            </Badge>
          )}
        </span>
        <span class="line quiet small">
          <span class="cut">
            <bdi>{thread.owner}</bdi> ({thread.ownerNumber})
          </span>
        </span>
      </span>
    </a>
  );
}

function summaryOf(message: MessageView): string {
  const prefix = message.direction === 'Outbound' ? 'Company: ' : '';
  return prefix + contentOf(message);
}

function contentOf({ type, text, pages, attachments }: MessageView): string {
  if (type === 'VoiceMail') return `Voicemail, ${durationText(attachments[0]?.seconds ?? 0)}`;
  if (type === 'Fax')
    return `Fax${pages === undefined ? '' : `, ${pages === 1 ? '1 page' : `${pages} pages`}`}`;
  return text ?? '';
}

function Conversation({
  extensionId,
  threadKey,
}: {
  readonly extensionId: string;
  readonly threadKey: string;
}) {
  const query = useQuery(`${extensionId} ${threadKey}`, ['messages'], () =>
    api.conversation(extensionId, threadKey, mostMessages),
  );
  const { data, problem } = query;
  if (!data || data.messages.length === 0)
    return (
      <NoItem view="messages">
        <Waiting query={query} />
        <Problem text={problem} />
        {data && (
          <Empty title="Conversation not found">
            <p>The address is wrong, or the messages of the conversation no longer exist.</p>
          </Empty>
        )}
      </NoItem>
    );
  return (
    <>
      <DetailHeader view="messages">
        <div>
          <h2>{nameOf(data)}</h2>
          <p class="quiet">
            {data.peerName !== undefined && data.peerNumber !== undefined && (
              <>
                <bdi>{data.peerNumber}</bdi> ·{' '}
              </>
            )}
            with <bdi>{data.owner}</bdi> ({data.ownerNumber})
          </p>
        </div>
      </DetailHeader>
      {data.messages.length === mostMessages && <Newest shown={mostMessages} what="messages" />}
      <Bubbles newest={newestOf(data)}>
        {data.messages.map((message, index) => (
          <Bubble key={message.id} message={message} isNewDay={isNewDay(message, data.messages[index - 1])} />
        ))}
      </Bubbles>
      {data.peerNumber?.startsWith('+') === true && (
        <Composer conversation={data} extension={data.ownerNumber} />
      )}
    </>
  );
}

/** The newest message, as screen readers announce it. */
function newestOf({ messages, ...conversation }: ConversationView) {
  const last = messages.at(-1);
  if (!last) return undefined;
  const sender = last.direction === 'Outbound' ? 'the company' : nameOf(conversation);
  return { id: last.id, text: `Message from ${sender}, ${timeText(last.time)}: ${contentOf(last)}` };
}

function isNewDay(message: MessageView, before: MessageView | undefined): boolean {
  return before === undefined || dayText(before.time) !== dayText(message.time);
}

const badStatuses = new Set(['SendingFailed', 'DeliveryFailed']);

function Bubble({ message, isNewDay }: { readonly message: MessageView; readonly isNewDay: boolean }) {
  const { direction, type, text } = message;
  const isFailed = badStatuses.has(message.status);
  return (
    <>
      {isNewDay && <li class="day">{dayText(message.time)}</li>}
      <li class={`bubble ${direction === 'Outbound' ? 'company' : 'outside'}`}>
        {type !== 'SMS' && (
          <p class="kind">{contentOf({ ...message, ...(type === 'Pager' && { text: 'Pager message' }) })}</p>
        )}
        {text !== undefined && type !== 'Fax' && <p class="text">{text}</p>}
        {message.attachments.map((attachment) =>
          attachment.contentType.startsWith('audio/') ? (
            <audio key={attachment.id} controls preload="none" src={attachment.path} aria-label="Voicemail" />
          ) : (
            <a key={attachment.id} class="button" href={attachment.path} download={attachment.fileName ?? ''}>
              {attachment.fileName ?? 'Document'} ({Math.max(1, Math.round(attachment.size / 1024))} kB)
            </a>
          ),
        )}
        <p class="meta">
          <span class="hidden-text">
            {direction === 'Outbound' ? 'From the company, ' : 'From outside, '}
          </span>
          <time dateTime={message.time}>{timeText(message.time)}</time>
          {direction === 'Outbound' && (
            <span class={isFailed ? 'bad-text' : ''}>
              {' '}
              · {words(message.status)}
              {message.errorCode !== undefined && ` (${message.errorCode})`}
            </span>
          )}
        </p>
      </li>
    </>
  );
}
