/** Tables of subscriptions, all deliveries with the outbox of webhooks, and the hosted channel. Lists and payloads are JSON. */
export const subscriptionSchema = `
CREATE TABLE subscription (
  id TEXT PRIMARY KEY, clientId TEXT NOT NULL, extensionId INTEGER NOT NULL, eventFilters TEXT NOT NULL, transportType TEXT NOT NULL,
  address TEXT NOT NULL, verificationToken TEXT, encryptionKey TEXT, subscriberKey TEXT, secretKey TEXT, createdAt INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL, lifetimeSeconds INTEGER NOT NULL, state TEXT NOT NULL, status TEXT NOT NULL, failingSince INTEGER,
  blacklistedAt INTEGER, blacklistReason TEXT, disabledFilters TEXT NOT NULL);
CREATE INDEX subscriptionByUser ON subscription (extensionId, clientId);
CREATE TABLE watch (
  topic TEXT NOT NULL, subscriptionId TEXT NOT NULL, filter TEXT NOT NULL, PRIMARY KEY (topic, subscriptionId, filter)) WITHOUT ROWID;
CREATE INDEX watchBySubscription ON watch (subscriptionId);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT, subscriptionId TEXT NOT NULL, transport TEXT NOT NULL, uuid TEXT NOT NULL, payload TEXT NOT NULL,
  createdAt INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, status INTEGER, error TEXT, finishedAt INTEGER);
CREATE INDEX deliveryPending ON delivery (id) WHERE state = 'pending' AND transport = 'WebHook';
CREATE INDEX deliveryShown ON delivery (state) WHERE payload <> '';
CREATE INDEX deliveryBySubscription ON delivery (subscriptionId, state);
CREATE TABLE channelMessage (
  id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, payload TEXT NOT NULL, deliveryId INTEGER NOT NULL);
CREATE INDEX channelMessageByChannel ON channelMessage (channel, id);
`;
